internal import FuekiCrypto
internal import FuekiSystem

/// Two machines in one directory: each with a home of its own, and a folder of backups between them.
final class DemoStage {
  /// One of the two machines.
  enum Machine: String {
    case old = "old-machine"
    case new = "new-machine"
  }

  /// Less than a real keychain's, so that the demonstration does not wait for its own derivations.
  static let cost = Argon2id.Cost(memoryKiB: 64 << 10, passes: 2)

  private let root: String
  private let keeps: Bool
  private var isDone = false

  /// - Parameter keep: where to leave everything; nil for a temporary directory.
  /// - Throws: ``Failure`` where `keep` is not empty, and what making directories and passphrases throws.
  init(keep: String?) throws {
    keeps = keep != nil
    if let keep {
      try Directory.makePrivateDirectories(keep)
      guard try Directory.open(keep).list().isEmpty else {
        throw Failure(
          .wouldOverwrite, "\(keep) is not empty",
          meaning: "nothing was made, and what is there was not touched",
          hint: "name a folder that does not exist yet")
      }
      // The two machines' homes are handed to processes, and the XDG specification ignores relative paths.
      root = keep.hasPrefix("/") ? keep : "\(Environment.get("PWD") ?? ".")/\(keep)"
    } else {
      let temporary = Environment.get("TMPDIR") ?? "/tmp"
      root = "\(temporary)/fueki-demo-\(Hex.encode(RandomBytes.bytes(8)))"
      try Directory.makePrivateDirectories(root)
    }
    for machine in [Machine.old, .new] { try Directory.makePrivateDirectories(home(machine)) }
    try Directory.makePrivateDirectories(target)
    for name in ["passphrase", Machine.old.rawValue + ".key", Machine.new.rawValue + ".key"] {
      try writePassphrase(name)
    }
  }

  deinit { remove() }

  var target: String { "\(root)/backups" }

  func dataDirectory(_ machine: Machine) -> String { "\(home(machine))/data/fueki" }

  var archiveSecret: [String] { ["--passphrase-from", "file:\(root)/passphrase"] }

  func keychainSecret(_ machine: Machine) -> [String] {
    ["--keychain-passphrase-from", "file:\(root)/\(machine.rawValue).key"]
  }

  func keychainPassphrase(_ machine: Machine) throws -> SharedSecret {
    let file = try File.open("\(root)/\(machine.rawValue).key")
    let size = Int(try file.size())
    return SharedSecret(try SecretBytes(count: size) { buffer in _ = try file.pread(into: &buffer, at: 0) })
  }

  /// Runs this program as a user of that machine would, and returns its output.
  func run(on machine: Machine, _ arguments: [String]) throws -> String {
    let outputPath = "\(root)/output"
    let folder = try Directory.open(root)
    if try folder.contains("output") { try folder.remove("output") }
    let result = try runCapturing(machine, arguments, in: folder)
    let text = try TextFile.text(at: outputPath)
    if result == .exited(ExitStatus.resyncIncomplete.rawValue) {
      throw Failure(
        .resyncIncomplete, "the node was asked, but did not answer everything",
        meaning: text.split(separator: "\n").joined(separator: "; "))
    }
    guard result == .exited(0) else {
      throw CommandError.comparisonFailed("\(arguments[0]) \(result.sentence)\n\(text)")
    }
    return text.replacing("\(root)/", with: "")
  }

  private func runCapturing(
    _ machine: Machine, _ arguments: [String], in folder: borrowing Directory
  ) throws -> ChildEnding {
    let home = home(machine)
    let file = try folder.createFile("output")
    var command = ChildCommand(
      executable: CurrentProcess.executable, arguments: ["fueki-backup"] + arguments,
      environment: [
        "HOME=\(home)", "XDG_DATA_HOME=\(home)/data", "XDG_STATE_HOME=\(home)/state",
        "XDG_CONFIG_HOME=\(home)/config", "PATH=/usr/bin:/bin",
      ].map { [UInt8]($0.utf8) })
    command.streams = (0, file.descriptor, 2)
    return try StartedChild(command).wait()
  }

  /// Ends the demonstration.
  ///
  /// - Returns: where everything is, if it was to be kept.
  func finish() -> String? {
    isDone = true
    guard !keeps else { return root }
    remove()
    return nil
  }

  private func home(_ machine: Machine) -> String { "\(root)/\(machine.rawValue)" }

  private func writePassphrase(_ name: String) throws {
    let made = try Passphrase.generated()
    let file = try Directory.open(root).createFile(name)
    try made.bytes.withBytes { bytes in try file.pwriteAll(bytes, at: 0) }
  }

  /// A demonstration that failed half-way, or was not to be kept, leaves nothing.
  private func remove() {
    guard !keeps else { return }
    let parts = PathParts(root)
    try? Directory.open(parts.folder).removeTree(parts.name)
  }
}
