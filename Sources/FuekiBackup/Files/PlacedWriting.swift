internal import FuekiCrypto
internal import FuekiSystem

/// A file being written next to its place.
///
/// It gets its name once it is complete, durable and read back.
final class PlacedWriting {
  private static let suffix = ".part"
  /// So many names are tried for the page of a held file.
  private static let mostPages = 100
  /// Zeros of so many bytes, at a multiple of so many, become a hole.
  private static let blockByteCount = 64 << 10

  let planned: PlannedFile
  private let folder: Directory
  private let token: String
  private let stamp: String
  private var published: [UInt8]?
  /// Whether this run gave the existing file its other name, and which of its logs have theirs.
  private var isKept = false
  private var keptLogs: [[UInt8]] = []
  private let temporary: String
  private let file: File
  private var assembled: FileParts

  /// Creates an empty file next to its place, and its folder if missing.
  ///
  /// The token is in the run's journal, so that a later run recognizes the file as its own.
  init(_ planned: PlannedFile, in folder: consuming Directory, _ request: PlacingRequest) throws {
    self.planned = planned
    (token, stamp) = (request.token, request.stamp)
    assembled = FileParts(total: planned.byteCount)
    temporary = Self.temporaryName(token)
    file = try folder.createFile(temporary)
    // The lock shows other runs that the file is not abandoned.
    _ = try? file.tryLockExclusive()
    self.folder = folder
  }

  private static func prefix(_ token: String) -> String { ".fueki-\(token)-" }

  static func temporaryName(_ token: String) -> String {
    "\(prefix(token))\(String(UInt64.random(in: .min ... .max), radix: 16))\(suffix)"
  }

  /// Removes what an earlier run with the same journal left behind in a folder, and no other file.
  static func removeAbandoned(in folder: borrowing Directory, _ token: String) throws {
    for entry in try folder.list() where entry.kind == .file {
      guard let name = entry.text, name.hasPrefix(prefix(token)), name.hasSuffix(suffix),
        let file = try? folder.openFile(name), (try? file.tryLockExclusive()) == true
      else { continue }
      try folder.remove(name)
    }
  }

  /// Writes a part.
  ///
  /// - Returns: whether all of the file is written now.
  func write(_ content: Span<UInt8>, at offset: UInt64) throws -> Bool {
    switch assembled.add(
      SHA256.hash(content), count: content.count, at: offset, total: planned.byteCount)
    {
    case .contradicting: throw PlacingError.scattered
    case .repeated: break
    case .new: try writeData(content, at: offset)
    }
    return assembled.cover
  }

  /// Writes all but blocks of zeros, which stay holes: a sparse file does not fill a disk.
  private func writeData(_ content: Span<UInt8>, at offset: UInt64) throws(SystemError) {
    var (start, place) = (0, 0)
    while place < content.count {
      let rest = Self.blockByteCount - Int((offset + UInt64(place)) % UInt64(Self.blockByteCount))
      let end = min(place + rest, content.count)
      if content.extracting(place..<end).isZero {
        if start < place { try file.pwriteAll(content.extracting(start..<place), at: offset + UInt64(start)) }
        start = end
      }
      place = end
    }
    if start < place { try file.pwriteAll(content.extracting(start..<place), at: offset + UInt64(start)) }
  }

  /// Makes the file durable and reads it back from the device.
  ///
  /// - Throws: ``PlacingError/readBackDiffers(path:)``, and system errors.
  func prepare() throws {
    // A hole at the end has no byte that was written.
    try file.truncate(to: planned.byteCount)
    try file.sync()
    try readBack()
    try file.changePermissions(to: planned.file.permissions)
    if !planned.isMerged, let time = planned.file.modifiedAt {
      try file.setModificationTime(microseconds: time)
    }
    try file.sync()
  }

  /// Renames the file to its final name.
  ///
  /// An existing file keeps the name, unless it is to be replaced. After an error, every file has its earlier name.
  ///
  /// - Parameters:
  ///   - isOwn: whether this run wrote the existing file of a name: a file system that considers two names equal finds
  ///     one file under both.
  ///   - page: the page to write next to a held file.
  /// - Returns: the file's name.
  /// - Throws: ``PlaceWalk/Blocked`` if the place has been occupied meanwhile, or the file system rejects every name.
  func publish(isOwn: (FileStatus, [UInt8]) -> Bool, page: (HoldReason, String) -> String) throws -> [UInt8] {
    do {
      return try take(isOwn, page)
    } catch {
      try? takeBack()
      throw error
    }
  }

  private func take(
    _ isOwn: (FileStatus, [UInt8]) -> Bool, _ page: (HoldReason, String) -> String
  ) throws -> [UInt8] {
    var name = planned.names.last ?? []
    if planned.fate == .replace { try keep(name, as: old) }
    for log in planned.foreignLogs {
      try folder.rename(log, to: old + log.dropFirst(name.count), replacing: false)
      keptLogs.append(log)
    }
    if planned.fate == .replace {
      try folder.rename(temporary, to: name, replacing: true)
    } else {
      name = try rename(isOwn)
    }
    published = name
    try folder.sync()
    if let hold = planned.hold {
      try writeBeside(name, page: Array(page(hold, PathText.text(name)).utf8))
    }
    return name
  }

  /// The name that another file gets which this one replaces.
  private var old: [UInt8] { PlacedName.name(planned.names.last ?? [], ending: ".replaced-\(stamp)") }

  /// Returns the status of the file under its name.
  func status() throws(SystemError) -> FileStatus { try folder.status(of: published ?? []) }

  /// Renames to the file's own name, or to a safe one where the file system refuses that or takes it for another's.
  private func rename(_ isOwn: (FileStatus, [UInt8]) -> Bool) throws -> [UInt8] {
    let own = planned.names.last ?? []
    for name in [own] + planned.safeNames {
      do {
        try folder.rename(temporary, to: name, replacing: false)
        guard try PlacedName.isPortable(name) || PlaceWalk.lists(name, in: folder) else {
          // The file system took it under another name.
          try folder.rename(name, to: temporary, replacing: false)
          continue
        }
        return name
      } catch let error as SystemError where error.isAlreadyThere {
        guard let there = try PlaceWalk.status(of: name, in: folder), isOwn(there, name) else {
          throw PlaceWalk.Blocked(
            obstacle: PlacingObstacle(path: "\(folder.path)/\(PathText.text(name))", kind: .differs))
        }
      } catch let error as SystemError where error.isNameRefused || error.isNotPermitted {
        // Some say of a name that they do not accept that it is not there. Of a lost file it is true.
        guard try !error.isNotFound || folder.contains(temporary) else { throw error }
      }
    }
    throw PlaceWalk.Blocked(obstacle: PlacingObstacle(path: planned.path, kind: .nameRefused))
  }

  /// Returns their earlier names to the file's place and its logs: another file of its set got none.
  func takeBack() throws {
    let name = planned.names.last ?? []
    if isKept {
      let there = try PlaceWalk.status(of: name, in: folder)
      // Renaming one name of a file to another of the same file does nothing.
      if let there, try folder.status(of: old).isSameFile(as: there) {
        try folder.remove(old)
      } else {
        try folder.rename(old, to: name, replacing: true)
      }
      isKept = false
    } else if let published {
      try folder.remove(published)
    }
    published = nil
    while let log = keptLogs.popLast() {
      try folder.rename(old + log.dropFirst(name.count), to: log, replacing: false)
    }
    try folder.sync()
  }

  /// Writes the page of a held file next to it, durably, under an unused name.
  private func writeBeside(_ name: [UInt8], page: [UInt8]) throws {
    let temporary = Self.temporaryName(token)
    let file = try folder.createFile(temporary)
    do {
      try file.pwriteAll(page.span, at: 0)
      try file.sync()
      for number in 1...Self.mostPages {
        let pageName = PlacedName.page(of: name, number: number)
        // As an earlier run wrote it.
        let there = try? folder.openFile(pageName).readAll(limit: page.count + 1)
        guard there != page else { break }
        do {
          try folder.rename(temporary, to: pageName, replacing: false)
          try folder.sync()
          return
        } catch let error where error.isAlreadyThere {}
      }
      try folder.remove(temporary)
    } catch {
      try? folder.remove(temporary)
      throw error
    }
  }

  /// Abandons the file.
  func abandon() { try? folder.remove(temporary) }

  /// The other file under another name: a second name first, so that at no moment it has none.
  private func keep(_ name: [UInt8], as old: [UInt8]) throws {
    do {
      try folder.link(name, as: old)
    } catch let error where error.isAlreadyThere {
      guard try folder.status(of: old).isSameFile(as: folder.status(of: name)) else { throw error }
    } catch let error where Self.refusesLinks(error) {
      try folder.rename(name, to: old, replacing: false)
    }
    isKept = true
    try folder.sync()
  }

  /// Whether the file system has no second names; FAT says that they are not permitted.
  private static func refusesLinks(_ error: SystemError) -> Bool {
    error.isUnsupported || error.isNotPermitted
  }

  private func readBack() throws {
    file.forgetCached()
    guard try file.size() == planned.byteCount else {
      throw PlacingError.readBackDiffers(path: planned.path)
    }
    for part in assembled.inOrder {
      var bytes = try SecretBytes(count: part.count)
      let count = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try file.pread(into: &bytes, at: part.offset)
      }
      guard count == part.count, bytes.withBytes({ SHA256.hash($0) }) == part.digest else {
        throw PlacingError.readBackDiffers(path: planned.path)
      }
    }
  }
}
