internal import FuekiSystem

/// An empty folder of its own, for its owner only, in which PAR2 runs; gone in the end.
///
/// Names in recovery files are whoever's who wrote them: here they name nothing of this person's.
public final class ParityFolder {
  /// The folder's path.
  public let path: String
  private let parent: Directory
  private let name: String

  /// A folder in this machine's state; one that a killed run left is removed.
  convenience init(in state: LockedState) throws {
    try self.init(in: state.directory.path, name: "mending")
  }

  /// A folder for work that leaves nothing, beside other runs of it.
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

  /// Removes what a killed run left; the program that it had started may take a moment to notice.
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

  /// The recovery files here of an archive of this name: the index first, where it is there.
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
