import FuekiSystem
import TestSupport
import Testing

/// Secrets, where they must not be.
struct SecrecyTests {
  private static let hexDigits = Array("0123456789abcdef")

  private func keychainSecret(_ machine: Machine) throws -> [UInt8] { try machine.read("keychain.pass") }

  /// Bytes as strace's `-xx` and a file of hex digits show them.
  private func hex(_ bytes: [UInt8], before: String = "") -> String {
    bytes.map { "\(before)\(Self.hexDigits[Int($0 >> 4)])\(Self.hexDigits[Int($0 & 15)])" }.joined()
  }

  private func contains(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    return bytes.indices.dropLast(part.count - 1).contains { start in
      bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
    }
  }

  /// Looks for a secret, as bytes and as hex, in all files but those that hold it on purpose.
  private func expectAbsent(_ secret: [UInt8], from folders: [String], of machine: Machine) throws {
    for folder in folders where machine.exists(folder) {
      for (path, bytes) in try machine.snapshot(of: folder) {
        #expect(!contains(secret, in: bytes), "\(path)")
        #expect(!contains(Array(hex(secret).utf8), in: bytes), "\(path)")
      }
    }
  }

  @Test func `passphrases are in no argument, no child's environment, no output and no file`() throws {
    let machine = try Machine()
    let keychain = String(decoding: try keychainSecret(machine), as: UTF8.self)
    try machine.write(Machine.passphrase, to: "passphrase")
    // The command looks at the program that runs it, from inside.
    let spy = "tr '\\0' '\\n' < /proc/$PPID/cmdline > seen-arguments; env > seen-environment; "
    for arguments in [["create"], ["restore", "latest", "--datadir", machine.path("restored")]] {
      let run = try machine.run(
        arguments + ["--target", machine.target, "-v", "--progress", "plain"] + Machine.quick
          + ["-p", "command:\(spy + "cat passphrase")"],
        environment: ["FUEKI_KEYCHAIN_PASSPHRASE": keychain, "FUEKI_PASSPHRASE": Machine.passphrase],
        status: 0)
      for secret in [Machine.passphrase, keychain] {
        let places = [
          run.text, run.errors, try machine.text("seen-arguments"),
          try machine.text("seen-environment"),
        ]
        for place in places { #expect(!place.contains(secret)) }
        try expectAbsent(
          Array(secret.utf8), from: ["target", "state", "tmp", "home", "data", "restored"], of: machine)
      }
      #expect(try !machine.read("seen-arguments").isEmpty)
    }
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `no passphrase goes through any system call that writes or starts something`() throws {
    let machine = try Machine()
    let secrets = [Array(Machine.passphrase.utf8), try keychainSecret(machine)]
    let calls = "write,pwrite64,writev,pwritev,sendto,sendmsg,execve,symlinkat,setxattr"
    let tracer = [
      Strace.program, "-f", "-qq", "-v", "-xx", "-s", "100000000", "-o", machine.path("trace"), "-e",
      "trace=\(calls)",
    ]
    let runs = [
      ["create"], ["verify", "latest", "--depth", "contents"], ["show", "latest"],
      ["restore", "latest", "--datadir", machine.path("restored")],
    ]
    for arguments in runs {
      let takesKeychain = ["create", "restore"].contains(arguments[0])
      let given = machine.archiveSecret + (takesKeychain ? machine.keychainSecret + Machine.quick : [])
      try machine.run(arguments + ["--target", machine.target] + given, through: tracer, status: 0)
      let trace = try machine.read("trace")
      #expect(trace.count > 100)
      for secret in secrets { #expect(!contains(Array(hex(secret, before: "\\x").utf8), in: trace)) }
    }
  }

  @Test func `a share's secret is in the clear only where an export was asked to put it`() throws {
    let machine = try Machine()
    #expect(try machine.restore().status == 0)
    let export = ["export", "latest", "--target", machine.target] + machine.archiveSecret
    #expect(try machine.run(export + ["--output", machine.path("open"), "--include-secrets"]).status == 0)
    #expect(try machine.run(export + ["--output", machine.path("public")]).status == 0)
    let shares = try machine.names(in: "open/secrets/key-shares").filter { !$0.hasSuffix(".json") }
    #expect(shares.count == 2)
    for share in shares {
      let secret = try machine.read("open/secrets/key-shares/\(share)")
      #expect(secret.count == 32)
      try expectAbsent(
        secret, from: ["target", "state", "tmp", "home", "data", "restored", "public"], of: machine)
    }
    #expect(!machine.exists("public/secrets"))
    try machine.visit("open") { path, entry in
      let slash = try #require(path.lastIndex(of: "/"))
      let status = try Directory.open(machine.path(String(path[..<slash]))).status(of: entry.name)
      #expect(status.permissions == (entry.kind == .directory ? 0o700 : 0o600), "\(path)")
    }
  }

  @Test func `a secret in a failure's message is not shown`() throws {
    let machine = try Machine()
    try machine.write(Machine.passphrase + "\0", to: "nul")
    try machine.write(Machine.passphrase + " wrong", to: "wrong")
    for file in ["nul", "wrong"] {
      for json in [[], ["--json"]] {
        let run = try machine.run(
          ["verify", "latest", "--target", machine.target, "--depth", "contents", "-v"]
            + ["-p", machine.path(file)] + json)
        #expect(run.status != 0)
        #expect(!(run.text + run.errors).contains(Machine.passphrase))
      }
    }
  }

  @Test func `no core is dumped, though cores are asked for`() throws {
    let machine = try Machine()
    let unlimited = ["/bin/sh", "-c", "ulimit -c unlimited; exec \"$@\"", "sh"]
    // The command asks what its parent may do, and makes it crash: a core of it would hold the passphrase.
    let spy = "grep 'core file' /proc/$PPID/limits > limits; kill -SEGV $PPID; sleep 1; cat passphrase"
    try machine.run(
      ["create", "--target", machine.target, "-p", "command:\(spy)"] + machine.keychainSecret,
      through: unlimited, status: 139)
    let limits = try machine.text("limits")
    #expect(limits.split(whereSeparator: \.isWhitespace).filter { $0 == "0" }.count == 2, "\(limits)")
    #expect(try machine.names(in: ".").allSatisfy { !$0.hasPrefix("core") })
  }

  @Test(.enabled(if: Installed.runs("/usr/bin/gdb"), "this machine has no gcore (gdb)"))
  func `in a dump of the running program, taken by root, there is no passphrase`() throws {
    let machine = try Machine()
    try machine.copy("keychain.pass", to: "keychain.copy")
    // By now the archive's passphrase was read and its derivation has begun. The keychain's comes later.
    let spy = "gcore -o dump $PPID > gcore.log 2>&1; cat keychain.copy"
    for arguments in [["create"], ["restore", "latest", "--datadir", machine.path("restored")]] {
      try machine.run(
        arguments + ["--target", machine.target, "--keychain-passphrase-from", "command:\(spy)"]
          + machine.archiveSecret + Machine.quick, status: 0)
      let dump = try #require(machine.names(in: ".").first { $0.hasPrefix("dump.") }, "no dump was taken")
      // By a program that is quick with large files; that it would find something is shown by what is no secret.
      let found = { (text: String) in
        try machine.write(text, to: "wanted")
        return try BuiltBinary.run(
          program: "/bin/grep", ["-c", "-a", "-F", "-f", machine.path("wanted"), machine.path(dump)]
        ).status == 0
      }
      #expect(try found(machine.target))
      #expect(try !found(Machine.passphrase), "\(arguments)")
      // The strength estimate also reads it backwards.
      #expect(try !found(String(Machine.passphrase.reversed())), "\(arguments)")
      try machine.remove(dump)
    }
  }

  @Test func `changes of keys, checks and exports show no secret either`() throws {
    let machine = try Machine()
    let new = "canary 8Wd of the new passphrase, and long"
    try machine.write(new, to: "new")
    let archive = ["latest", "--target", machine.target]
    let spy = "tr '\\0' '\\n' < /proc/$PPID/cmdline > seen-arguments; env > seen-environment; cat passphrase"
    let secret = ["-p", "command:\(spy)"]
    let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    let runs = [
      ["verify"] + archive + ["--depth", "contents"],
      ["export"] + archive + ["--output", machine.path("open")],
      ["drill"] + archive, ["key", "add"] + archive + ["--recipient", recipient],
      ["key", "change-passphrase"] + archive + ["--new-passphrase-from", machine.place("new")]
        + Machine.quick + ["--drop", "2"],
    ]
    for arguments in runs {
      for json in [[], ["--json"]] where json.isEmpty || ["verify", "drill"].contains(arguments[0]) {
        let run = try machine.run(arguments + secret + json + ["-v"], environment: ["FUEKI_PASSPHRASE": new])
        #expect(run.status == 0, "\(arguments) \(run.errors)")
        let places = [
          run.text, run.errors, try machine.text("seen-arguments"),
          try machine.text("seen-environment"),
        ]
        for text in [Machine.passphrase, new] {
          for place in places { #expect(!place.contains(text), "\(arguments)") }
          try expectAbsent(
            Array(text.utf8), from: ["target", "state", "tmp", "home", "data", "open"], of: machine)
        }
      }
    }
  }
}
