import CommandSupport
import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Hints that contain a command: following one removes the complaint.
struct PlayedHintTests {
  /// A complaint with a hint that can be followed.
  enum Complaint: String, CaseIterable, CustomTestStringConvertible {
    case readableSecret, writableConfiguration, writableFolder, foreignFile, syncedKeys, weakPassphrase
    case noTarget, unknownFolder

    var testDescription: String { rawValue }
    /// A part of the message.
    var text: String {
      switch self {
      case .readableSecret: "others can read"
      case .writableConfiguration: "others can change"
      case .writableFolder: "others can replace"
      case .foreignFile: "belongs to user 12345"
      case .syncedKeys: "there is nothing to back up"
      case .weakPassphrase: "this passphrase can be guessed"
      case .noTarget: "create needs a target"
      case .unknownFolder: "list needs a target"
      }
    }

    /// Makes the problem.
    ///
    /// - Returns: the command that reports it.
    func provoke(on machine: Machine) throws -> [String] {
      let passphrase = machine.path("passphrase")
      try machine.write("not known to be sealed", to: "secret")
      let create =
        ["create", "--from", "file:\(machine.path("secret"))"] + machine.archiveSecret + Machine.quick
      let target = ["--target", machine.target]
      let keys = ["--accept", "synced-keys"]
      switch self {
      case .readableSecret:
        try PlayedHintTests.sh("chmod 644 '\(passphrase)'")
        return create + target + keys
      case .writableConfiguration, .writableFolder, .foreignFile:
        let file = machine.path("trusted/config.toml")
        try machine.write("[[vault]]\nlabel = \"mine\"\n", to: "trusted/config.toml")
        let change =
          switch self {
          case .writableConfiguration: "chmod 666 '\(file)'"
          case .writableFolder: "chmod 777 '\(machine.path("trusted"))'"
          default: "chown 12345 '\(file)'"
          }
        try PlayedHintTests.sh(change)
        return ["config", "show", "--config", file]
      case .syncedKeys: return create + target
      case .weakPassphrase:
        try machine.write("abc", to: "weak")
        return ["create", "--from", "file:\(machine.path("secret"))", "-p", machine.path("weak")]
          + Machine.quick + target + keys
      case .noTarget: return create + keys
      case .unknownFolder: return ["list"]
      }
    }

    /// Does what the hint says.
    ///
    /// - Returns: the command to run then.
    func follow(_ hint: String, _ command: [String], on machine: Machine) throws -> [String] {
      switch self {
      case .readableSecret, .writableConfiguration, .writableFolder, .foreignFile:
        try PlayedHintTests.sh(String(hint.split(separator: ", or ").first ?? ""))
        return command
      case .syncedKeys, .weakPassphrase:
        return try command + PlayedHintTests.option("--accept", in: hint)
      case .noTarget, .unknownFolder:
        #expect(hint.contains("--target DIR"), "\(hint)")
        return command + ["--target", machine.target]
      }
    }

    static let possible = allCases.filter { geteuid() == 0 || $0 != .foreignFile }
  }

  fileprivate static func sh(_ command: String) throws {
    let run = try BuiltBinary.run(program: "/bin/sh", ["-c", command])
    try #require(run.status == 0, "\(command): \(run.errors)")
  }

  /// An option of a hint, with its value.
  fileprivate static func option(_ name: String, in hint: String) throws -> [String] {
    let words = hint.split(separator: " ").map(String.init)
    let place = try #require(words.firstIndex(of: name), "\(hint)")
    return Array(words[place...].prefix(2))
  }

  private static func hint(_ run: RunResult) throws -> String {
    let lines = run.errors.split(separator: "\n").map(String.init)
    let line = try #require(lines.first { $0.contains("hint: ") }, "\(run.errors)")
    return String(line.split(separator: "hint: ", maxSplits: 1).last ?? "")
  }

  @Test(arguments: Complaint.possible)
  func `a complaint is gone when its hint was followed`(_ complaint: Complaint) throws {
    let machine = try Machine(isPrepared: false)
    let command = try complaint.provoke(on: machine)
    let run = try machine.run(command)
    #expect(run.status != 0 && run.errors.contains(complaint.text), "\(run.status): \(run.errors)")
    let next = try complaint.follow(Self.hint(run), command, on: machine)
    let after = try machine.run(next)
    #expect(!after.errors.contains(complaint.text), "\(after.errors)")
    if complaint != .unknownFolder { #expect(after.status == 0, "\(after.status): \(after.errors)") }
  }

  private static let canBecome =
    geteuid() == 0 && Installed.runs("/usr/bin/setpriv", ["--reuid=12345", "--clear-groups", "/bin/true"])

  @Test(.enabled(if: canBecome, "this machine cannot run a program as another user"))
  func `a home of another user stays theirs, and the program works as that user`() throws {
    let machine = try Machine(isPrepared: false)
    try Self.sh("chmod 711 '\(machine.root)'")
    let binary = machine.path("fueki-backup")
    try Self.sh("cp '\(try PreparedMachine.binary())' '\(binary)' && chmod 755 '\(binary)'")
    try machine.write("[[vault]]\nlabel = \"mine\"\n", to: "home/config.toml")
    try Self.sh("chown -R 12345 '\(machine.path("home"))'")
    let command = ["config", "show", "--config", machine.path("home/config.toml")]
    let run = try machine.run(command)
    let hint = try Self.hint(run)
    #expect(run.status == 64 && !hint.contains("chown"), "\(run.status): \(run.errors)")
    #expect(hint.hasPrefix("run this as user 12345, without sudo"), "\(hint)")
    let after = try BuiltBinary.run(
      program: "/usr/bin/setpriv",
      ["--reuid=12345", "--regid=12345", "--clear-groups", binary] + command,
      environment: ["HOME": machine.path("home")])
    #expect(after.status == 0, "\(after.errors)")
  }

  @Test func `the page of a held file with a long name is where the hint says`() throws {
    let pair = try LostMachine()
    let name = String(repeating: "s", count: 238) + ".json"
    let record = """
      {"metadata": {"interchange_format_version": "5", "genesis_validators_root": "0x\(String(repeating: "1", count: 64))"},
      "data": [{"pubkey": "0x\(String(repeating: "b", count: 96))", "signed_blocks": [{"slot": "9"}],
      "signed_attestations": [{"source_epoch": "3", "target_epoch": "4"}]}]}
      """
    try pair.write(Array(record.utf8), to: "home/\(name)")
    try pair.create(["eip3076:~/\(name)"])
    try pair.restore()
    let run = try pair.putBack()
    let output = run.text + run.errors
    let rest = try #require(output.firstRange(of: "Read ").map { output[$0.upperBound...] }, "\(output)")
    let page = String(rest.prefix { $0 != "," })
    #expect(try File.open(page).status().kind == .file, "\(page)")
  }
}
