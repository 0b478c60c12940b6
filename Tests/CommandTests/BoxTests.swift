import FuekiSystem
import TestSupport
import Testing

/// The processes that read other programs' wallets for `create` and `drill`.
@Suite(
  .enabled(
    if: Sandbox.version != nil && ReaderBox.canFilterCalls, "this kernel has no Landlock or no seccomp"))
struct BoxTests {
  private static let keystore = """
    {"version":3,"id":"a","address":"\(String(repeating: "00", count: 20))","crypto":{"cipher":"aes-128-ctr",
    "cipherparams":{"iv":"\(String(repeating: "00", count: 16))"},
    "ciphertext":"\(String(repeating: "00", count: 32))","kdf":"scrypt","kdfparams":{"n":1024,"r":8,"p":1,
    "dklen":32,"salt":"\(String(repeating: "00", count: 32))"},"mac":"\(String(repeating: "00", count: 32))"}}
    """

  /// Kills the readers of the process that asks for a password, which waits for nothing then.
  private static let killing = """
    for d in /proc/[0-9]*; do read -r id name state parent rest < $d/stat && [ $name = '(fueki-reader)' ] && \
    read -r id2 name2 state2 first rest < /proc/$parent/stat && [ $first = $asker ] && kill -9 $id; done 2>/dev/null
    echo secret
    """

  @Test func `a reader that dies costs its wallet the reading, and no other wallet anything`() throws {
    let machine = try Machine(isPrepared: false)
    for folder in ["dying", "sound"] { try machine.write(Self.keystore, to: "\(folder)/UTC--\(folder)") }
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[vault]]
      from = []
      [[source]]
      kind = "keystore"
      path = "\(machine.path("dying"))"
      password_command = "sh \(machine.path("kill.sh"))"
      [[source]]
      kind = "keystore"
      path = "\(machine.path("sound"))"
      """, to: "config.toml")
    // The program asks through a shell, which may have started another.
    let asker =
      "asker=$PPID; [ $(cat /proc/$PPID/comm) = sh ] && asker=$(awk '{ print $4 }' /proc/$PPID/stat)"
    try machine.write("\(asker)\n\(Self.killing)\n", to: "kill.sh")
    let create = ["create", "--config", machine.path("config.toml")] + machine.archiveSecret + Machine.quick
    let made = try machine.run(create, status: 3)
    #expect(
      made.text.contains("keystore \"UTC--dying\": kept, not read: the reader of this wallet failed"),
      "\(made.text)")
    #expect(made.text.contains("keystore \"UTC--sound\": whole, not proved"), "\(made.text)")
    let json = try machine.run(create + ["--json"])
    let reasons = try json.json()["wallets"]?.elements.compactMap { $0["reason"]?.text }.sorted()
    #expect(json.status == 3 && reasons == ["needs-password", "reader-failed"], "\(json.text)")
    try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target, "--datadir", machine.path("new")]
        + ["--files", machine.path("files")] + machine.archiveSecret, status: 0)
    let found = try BuiltBinary.run(program: "/bin/grep", ["-rlc", "aes-128-ctr", machine.path("files")])
    #expect(found.text.split(separator: "\n").count == 2, "\(found.text)")
  }

  @Test func `create and drill report whether foreign files are read in a box`() throws {
    let machine = try Machine()
    try machine.write("text", to: "a.txt")
    let from = ["--from", "store", "--from", "file:\(machine.path("a.txt"))", "--accept=synced-keys"]
    let made = try machine.create(from + ["--json"])
    let sandbox = try made.json()["sandbox"]
    #expect(made.status == 0 && sandbox?["on"] == .bool(true), "\(made.errors) \(made.text)")
    #expect(sandbox?["landlock"]?.number ?? 0 > 0 && sandbox?["seccomp"] == .bool(true))
    let spoken = try machine.create(from + ["--dry-run", "-v"])
    #expect(spoken.errors.contains("in a sandbox (Landlock"), "\(spoken.errors)")
    let open = try machine.create(from + ["--json", "--no-sandbox"])
    #expect(try open.json()["sandbox"]?["reason"] == .string("option"))
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `the process with the keys only copies foreign files, and their reader enters its box first`()
    throws
  {
    let machine = try Machine(isPrepared: false)
    try machine.write(Self.keystore, to: "keys/UTC--one")
    let settings = try machine.configure(onlySource: "keystore", at: machine.path("keys"))
    let calls = "trace=execve,open,openat,landlock_restrict_self"
    try machine.run(
      ["create"] + settings + machine.archiveSecret + Machine.quick,
      through: [Strace.program, "-f", "-qq", "-o", machine.path("trace"), "-e", calls], status: 0)
    let lines = try machine.text("trace").split(separator: "\n")
    let reader = try #require(lines.first { $0.contains("landlock_restrict_self") }?.prefix { $0 != " " })
    let opening = lines.filter { $0.contains("UTC--one") }
    let here = opening.filter { $0.prefix { $0 != " " } == reader }
    // Another process than the reader's opens it once, to write its bytes into the archive, and looks for no parts.
    #expect(!here.isEmpty && opening.count - here.count == 1, "\(opening)")
    let copying = try #require(opening.last)
    #expect(copying.prefix { $0 != " " } != reader && copying.contains("UTC--one\""), "\(copying)")
    let own = lines.filter { $0.prefix { $0 != " " } == reader }
    let entered = try #require(own.lastIndex { $0.contains("landlock_restrict_self") })
    let read = try #require(own.firstIndex { $0.contains("UTC--one") && !$0.contains("O_PATH") })
    #expect(entered < read)
  }
}
