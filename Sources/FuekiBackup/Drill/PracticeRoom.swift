internal import FuekiCrypto
internal import FuekiSystem

/// A folder that a wallet is brought back in for practice, and that is wiped afterwards.
///
/// It is in memory where that has room. A run that was killed leaves its folder; the next one wipes it.
public final class PracticeRoom {
  /// Whether what is in it stays in memory.
  public let isInMemory: Bool
  /// The data directory that the wallet is brought back to.
  public var dataDirectory: String { "\(path)/wallet" }
  private let parent: String
  private let name: String
  private var path: String { "\(parent)/\(name)" }
  /// Held as long as the run lasts, so that another run can tell a leftover.
  private let lock: File
  private var isWiped = false

  private static let prefix = ".fueki-drill-"
  private static let lockName = "lock"

  /// Makes the folder, 0700, in the first place that has room.
  ///
  /// - Parameters:
  ///   - places: folders in the order in which they are wanted; those that are missing are passed over.
  ///   - room: how many bytes will be needed.
  /// - Returns: the folder, empty but for its lock.
  /// - Throws: `SystemError` where no place has room, the last one's.
  public static func make(in places: [String], room: UInt64) throws -> PracticeRoom {
    var problem = SystemError.noSpace(path: places.last ?? "")
    for place in places {
      do {
        try wipeLeftovers(in: place)
        let folder = try Directory.open(place)
        if try folder.freeBytes() >= room { return try PracticeRoom(in: place, folder) }
        problem = .noSpace(path: place)
      } catch let error as SystemError {
        problem = error
      }
    }
    throw problem
  }

  private init(in place: String, _ folder: borrowing Directory) throws {
    parent = place
    name = Self.prefix + Hex.encode(RandomBytes.bytes(6))
    try folder.makeDirectory(name)
    lock = try folder.openDirectory(name).openOrCreateFile(Self.lockName)
    isInMemory = try folder.isInMemory()
    _ = try lock.tryLockExclusive()
  }

  deinit { try? wipe() }

  /// Overwrites and removes everything.
  public func wipe() throws {
    guard !isWiped else { return }
    try Directory.open(parent).wipeTree(name)
    isWiped = true
  }

  private static func wipeLeftovers(in place: String) throws {
    let folder = try Directory.open(place)
    for entry in try folder.list() where entry.kind == .directory {
      guard let name = entry.text, name.hasPrefix(prefix),
        Hex.decode(name.dropFirst(prefix.count))?.count == 6,
        try folder.status(of: name).owner == CurrentUser.identifier
      else { continue }
      let lock = try folder.openDirectory(name).openOrCreateFile(lockName)
      guard try lock.tryLockExclusive() else { continue }
      try folder.wipeTree(name)
    }
  }
}
