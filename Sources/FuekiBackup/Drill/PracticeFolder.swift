internal import FuekiCrypto
internal import FuekiSystem

/// A folder for a practice restore, wiped afterwards.
///
/// It is in memory if there is room. A killed run leaves its folder, which the next run wipes.
public final class PracticeFolder {
  /// Whether its contents stay in memory.
  public let isInMemory: Bool
  /// The data directory of the practice restore.
  public var dataDirectory: String { "\(path)/wallet" }
  /// The folder that has this one.
  public let parent: String
  private let name: String
  /// The folder's path.
  public var path: String { "\(parent)/\(name)" }
  /// Held as long as the run lasts, so that another run can tell a leftover.
  private let lock: File
  private var isWiped = false

  private static let prefix = ".fueki-drill-"
  private static let lockName = "lock"

  /// Makes a folder, 0700, in each place: a run in a sandbox can make none once it knows how much room it needs.
  ///
  /// - Parameter places: folders in order of preference. Those that are missing or not writable are skipped.
  /// - Returns: the folders in that order, empty except for their locks.
  /// - Throws: the last place's `SystemError` if none can be made.
  public static func makeAll(in places: [String]) throws -> [PracticeFolder] {
    var problem = SystemError.noSpace(path: places.last ?? "")
    var made: [PracticeFolder] = []
    for place in places {
      do {
        let folder = try Directory.open(place)
        try wipeLeftovers(in: folder)
        made.append(try make(in: folder, place))
      } catch let error as SystemError {
        problem = error
      }
    }
    guard !made.isEmpty else { throw problem }
    return made
  }

  /// Returns the first folder that has room, and wipes the others.
  ///
  /// - Parameters:
  ///   - folders: as ``makeAll(in:)`` returns them.
  ///   - room: the required number of bytes.
  /// - Returns: the folder.
  /// - Throws: a `SystemError` if none has room.
  public static func choose(from folders: [PracticeFolder], room: UInt64) throws -> PracticeFolder {
    let chosen = try folders.first { try Directory.open($0.path).freeBytes() >= room }
    for folder in folders where folder !== chosen { try folder.wipe() }
    guard let chosen else { throw SystemError.noSpace(path: folders.last?.parent ?? "") }
    return chosen
  }

  /// Until its lock is held a folder looks like a leftover to a drill that begins at the same moment.
  private static func make(in folder: borrowing Directory, _ place: String) throws -> PracticeFolder {
    var problem = SystemError.noSpace(path: place)
    for _ in 0..<100 {
      let name = prefix + Hex.encode(RandomBytes.bytes(6))
      do {
        try folder.makeDirectory(name)
        let lock = try folder.openDirectory(name).openOrCreateFile(lockName)
        guard try lock.tryLockExclusive(), try lock.status().linkCount > 0 else { continue }
        return PracticeFolder(place, name, lock, isInMemory: try folder.isInMemory())
      } catch {
        guard error.isNotFound else { throw error }
        problem = error
      }
    }
    throw problem
  }

  private init(_ parent: String, _ name: String, _ lock: consuming File, isInMemory: Bool) {
    self.parent = parent
    self.name = name
    self.lock = lock
    self.isInMemory = isInMemory
  }

  deinit { try? wipe() }

  /// Overwrites and removes everything.
  public func wipe() throws {
    guard !isWiped else { return }
    try Self.wipe(name, in: Directory.open(parent))
    isWiped = true
  }

  private static func wipeLeftovers(in folder: borrowing Directory) throws {
    for entry in try folder.list() where entry.kind == .directory {
      guard let name = entry.text, name.hasPrefix(prefix),
        Hex.decode(name.dropFirst(prefix.count))?.count == 6
      else { continue }
      do {
        guard try folder.status(of: name).owner == CurrentUser.identifier else { continue }
        let lock = try folder.openDirectory(name).openOrCreateFile(lockName)
        if try lock.tryLockExclusive() { try wipe(name, in: folder) }
      } catch let error as SystemError {
        // If it does not exist, its own run has ended meanwhile.
        guard error.isNotFound else { throw error }
      }
    }
  }

  /// Wipes a folder.
  ///
  /// Once the lock's name is removed, another drill may wipe the rest at the same moment.
  private static func wipe(_ name: String, in folder: borrowing Directory) throws {
    for _ in 0..<100 {
      do {
        return try folder.wipeTree(name)
      } catch {
        guard error.isNotFound || error.isAlreadyThere else { throw error }
        guard try folder.contains(name) else { return }
      }
    }
    try folder.wipeTree(name)
  }
}
