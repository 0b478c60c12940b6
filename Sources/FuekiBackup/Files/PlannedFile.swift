internal import FuekiArchive
internal import FuekiSystem
internal import FuekiWallet

/// A file of the archive, and what becomes of it.
public struct PlannedFile: Sendable {
  /// The fate of a file.
  public enum Fate: Equatable, Sendable {
    /// It goes to its place, where nothing is.
    case place
    /// It is there, byte for byte.
    case present
    /// It is written next to another one.
    case beside
    /// It replaces another one, which is kept next to it.
    case replace
    /// It stays in the archive.
    case waits(WaitReason)
  }

  /// The file.
  public let file: OriginalFile
  /// Its fate.
  public internal(set) var fate: Fate
  /// The reason for a name that its program does not look for; nil if it keeps its own name.
  public internal(set) var hold: HoldReason?
  /// Where it is, or will be; its place in the archive where it stays there.
  public internal(set) var path: String
  /// The obstacle at its place; nil if there is none.
  public internal(set) var obstacle: PlacingObstacle?
  /// The programs that work with its place.
  public internal(set) var users: [RunningProgram] = []
  /// The path that the file system refuses, or takes for another file's; nil if the file gets its own name.
  public internal(set) var refusedPath: String?
  /// Records of another network in the same folder: a slashing record is not merged with these.
  public internal(set) var unmergedWith: [String] = []
  /// Below the root, the name that it gets last.
  var names: [[UInt8]] = []
  /// Logs of another database, which are kept with that one.
  var foreignLogs: [[UInt8]] = []
  /// The bytes to write instead of the file's own: these merged with another file there.
  var merged: [UInt8]?

  /// Where the page of a held file is, if no other file has its name.
  public var pagePath: String {
    let parts = PathParts(path)
    return "\(parts.folder)/\(PathText.text(PlacedName.page(of: parts.name.pathBytes, number: 1)))"
  }
  /// The conditions under which it goes into a home; nil if there are none.
  var claim: HomeClaim?

  /// Whether the file is merged with an existing one.
  public var isMerged: Bool { merged != nil }
  /// The length of the written bytes.
  var byteCount: UInt64 { merged.map { UInt64($0.count) } ?? file.byteCount }
  /// The names that it gets where the file system refuses its own.
  var safeNames: [[UInt8]] { PlacedName.safe(names.last ?? [], of: file.place ?? file.path) }

  /// Whether something is written.
  var isWritten: Bool {
    switch fate {
    case .place, .beside, .replace: true
    case .present, .waits: false
    }
  }

  /// Leaves the file in the archive because of something in its way.
  mutating func wait(for obstacle: PlacingObstacle) {
    let reason: WaitReason =
      switch obstacle.kind {
      case .nameRefused: .nameRefused
      case .noRoom: .noRoom
      case .folderExists: .folderExists
      default: .inTheWay
      }
    (fate, self.obstacle) = (.waits(reason), obstacle)
  }

  /// Lets the file go under other names than its own.
  ///
  /// - Parameters:
  ///   - names: below the root.
  ///   - root: the path that they are below.
  mutating func go(to names: [[UInt8]], below root: String) {
    guard names != self.names else { return }
    if refusedPath == nil { refusedPath = path }
    self.names = names
    path = "\(root)/\(names.map(PathText.text).joined(separator: "/"))"
  }
}

/// Why a file is left in the archive.
public enum WaitReason: String, Sendable, CaseIterable {
  /// It lay outside the home directory.
  case outsideHome = "outside-home"
  /// Its original place was not recorded.
  case noPlace = "no-place"
  /// Its recorded place is not a valid path.
  case notAPlace = "not-a-place"
  /// Files in its place are executed or obeyed automatically.
  case startup = "startup"
  /// The place belongs to programs and is not declared for wallets, or the name can hold commands.
  case notWallets = "not-for-wallets"
  /// It is no wallet's, and the user has not agreed to put it back.
  case ownFiles = "own-files"
  /// It is no wallet's, and nothing that a thief of the signing key lacks proves the archive.
  case notProved = "not-proved"
  /// Programs may obey such a file in its folder, and the folder was there already.
  case folderExists = "folder-exists"
  /// A newer copy of the same file is in the archive.
  case superseded
  /// Parts of it are missing.
  case incomplete
  /// Something is in its way.
  case inTheWay = "in-the-way"
  /// A program works with its place.
  case inUse = "in-use"
  /// It is useless or harmful without another file, which waits.
  case together
  /// The file system takes neither its name nor a safe one.
  case nameRefused = "name-refused"
  /// The file system has no room for it, or takes no file of its size.
  case noRoom = "no-room"
}

/// Something that keeps a file from its place.
public struct PlacingObstacle: Equatable, Sendable {
  /// The kind of obstacle.
  public enum Kind: Equatable, Sendable {
    /// Another file is there.
    case differs
    /// A folder on the way is a link that leads elsewhere.
    case folderIsLink(to: String)
    /// A folder on the way is another user's.
    case folderIsOthers
    /// Other users can write to a folder on the way.
    case folderIsShared
    /// The place is a link.
    case isLink(to: String)
    /// Not a regular file, or not a folder where one is needed.
    case otherKind
    /// This user may not write there.
    case notWritable
    /// The file system takes neither the name nor a safe one.
    case nameRefused
    /// The file system has no room for the file, or takes none of its size.
    case noRoom
    /// The folder was not there when the plan was made, and is now.
    case folderExists
  }

  /// Where it is.
  public let path: String
  /// The kind of obstacle.
  public let kind: Kind

  /// Something in the way.
  public init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }
}
