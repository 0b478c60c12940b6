internal import FuekiSystem

/// A private, empty folder for PAR2, removed at the end.
///
/// The names in recovery files are untrusted: in this folder they match none of the user's files.
public final class ParityFolder {
  /// The folder's path.
  public let path: String
  private let parent: Directory
  private let name: String

  /// Creates a folder in this machine's state, after removing one from a killed run.
  convenience init(in state: LockedState) throws {
    try self.init(in: state.directory.path, name: "mending")
  }

  /// Creates a folder for work that leaves nothing, separate from other runs.
  public convenience init() throws {
    let parent = CurrentProcess.absolutePath(of: Environment.get("TMPDIR") ?? "/var/tmp")
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    try self.init(in: parent, name: "fueki-mending-\(number)")
  }

  private init(in folder: String, name: String) throws {
    parent = try Directory.open(folder)
    path = "\(CurrentProcess.absolutePath(of: folder))/\(name)"
    self.name = name
    try Self.clear(name, in: parent)
    try parent.makeDirectory(name)
  }

  deinit { try? parent.removeTree(name) }

  /// Removes the leftovers of a killed run, whose child program may take a moment to notice.
  private static func clear(_ name: String, in parent: borrowing Directory) throws {
    for look in 1...20 {
      guard try parent.contains(name) else { return }
      do {
        return try parent.removeTree(name)
      } catch {
        guard look < 20, error.isAlreadyThere || error.isNotFound else { throw error }
        guard !Interruption.wasRequested else { throw Interrupted() }
        SystemClock.sleep(seconds: 0.1)
      }
    }
  }

  func open() throws -> Directory { try Directory.open(path) }

  /// Makes a file elsewhere readable here, under a name.
  func link(_ path: String, as name: String) throws {
    try open().makeSymbolicLink(name, to: CurrentProcess.absolutePath(of: path))
  }

  /// Removes all that is here.
  func empty() {
    guard let directory = try? open() else { return }
    for entry in (try? directory.list()) ?? [] { try? directory.removeTree(entry.name) }
  }

  /// Returns the recovery files here for an archive's name, with the index first.
  func parity(of archive: String) throws -> [ParityFile] { try ParityFile.all(in: open(), of: archive) }

  /// How many bytes the files here have.
  func byteCount() throws -> UInt64 {
    let directory = try open()
    var count: UInt64 = 0
    for entry in try directory.list() where entry.kind == .file {
      // One that is being renamed is counted next time.
      count += (try? directory.status(of: entry.name).size) ?? 0
    }
    return count
  }
}
