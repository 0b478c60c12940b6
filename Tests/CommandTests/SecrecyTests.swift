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
          + ["--passphrase-command", spy + "cat passphrase"],
        environment: ["FUEKI_KEYCHAIN_PASSPHRASE": keychain, "FUEKI_PASSPHRASE": Machine.passphrase])
      #expect(run.status == 0, "\(run.errors)")
      for secret in [Machine.passphrase, keychain] {
        let places = [
          run.text, run.errors, String(decoding: try machine.read("seen-arguments"), as: UTF8.self),
          String(decoding: try machine.read("seen-environment"), as: UTF8.self),
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
      let run = try machine.run(arguments + ["--target", machine.target] + given, through: tracer)
      #expect(run.status == 0, "\(run.errors)")
      let trace = try machine.read("trace")
      #expect(trace.count > 100)
      for secret in secrets { #expect(!contains(Array(hex(secret, before: "\\x").utf8), in: trace)) }
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
            + ["--passphrase-file", machine.path(file)] + json)
        #expect(run.status != 0)
        #expect(!(run.text + run.errors).contains(Machine.passphrase))
      }
    }
  }

  @Test func `no core is dumped`() throws {
    let machine = try Machine()
    // The command asks what its parent may do: a core of it would hold the passphrase.
    let spy = "grep 'core file' /proc/$PPID/limits > limits; cat passphrase"
    let run = try machine.run([
      "verify", "latest", "--target", machine.target, "--depth", "contents", "--passphrase-command", spy,
    ])
    #expect(run.status == 0)
    let limits = String(decoding: try machine.read("limits"), as: UTF8.self)
    #expect(limits.split(whereSeparator: \.isWhitespace).filter { $0 == "0" }.count == 2, "\(limits)")
  }
}
