internal import FuekiCrypto
internal import FuekiSystem

/// A file that is being written beside its place: it gets its name once it is whole, durable and read back.
final class PlacedWriting {
  private static let suffix = ".part"
  /// So many names are tried for the page of a held file.
  private static let mostPages = 100
  /// Zeros of so many bytes, at a multiple of so many, become a hole.
  private static let blockByteCount = 64 << 10

  let planned: PlannedFile
  private let folder: Directory
  private let token: String
  private let temporary: String
  private let file: File
  private var assembled: FileParts

  /// Makes an empty file beside the place, in a folder that is made where it is missing.
  ///
  /// The token stands in the run's journal, so that a later run knows the file for its own.
  init(_ planned: PlannedFile, in folder: consuming Directory, _ token: String) throws {
    self.planned = planned
    self.token = token
    assembled = FileParts(total: planned.byteCount)
    temporary = Self.temporaryName(token)
    file = try folder.createFile(temporary)
    // Who writes holds the lock, so that nobody takes the file for one that was abandoned.
    _ = try? file.tryLockExclusive()
    self.folder = folder
  }

  private static func prefix(_ token: String) -> String { ".fueki-\(token)-" }

  private static func temporaryName(_ token: String) -> String {
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

  /// Reads the file back from the device and gives it its name; another one that is there stays, unless it is replaced.
  ///
  /// - Throws: ``PlacingError/readBackDiffers(path:)``; an error with ``SystemError/isAlreadyThere`` where something has
  ///   come into the place meanwhile.
  func finish(keepingOldAs old: [UInt8], page: (HoldReason, String) -> String) throws {
    // A hole at the end has no byte that was written.
    try file.truncate(to: planned.byteCount)
    try file.sync()
    try readBack()
    try file.changePermissions(to: planned.file.permissions)
    if !planned.isMerged, let time = planned.file.modifiedAt {
      try file.setModificationTime(microseconds: time)
    }
    try file.sync()
    let name = planned.names.last ?? []
    if planned.fate == .replace {
      try keep(name, as: old)
      try folder.rename(temporary, to: name, replacing: true)
    } else {
      try folder.rename(temporary, to: name, replacing: false)
    }
    try folder.sync()
    if let hold = planned.hold {
      try writeBeside(name, page: Array(page(hold, PathText.text(name)).utf8))
    }
  }

  /// Writes the page of a held file beside it, durably, under a name that no file has.
  private func writeBeside(_ name: [UInt8], page: [UInt8]) throws {
    let temporary = Self.temporaryName(token)
    let file = try folder.createFile(temporary)
    do {
      try file.pwriteAll(page.span, at: 0)
      try file.sync()
      for number in 1...Self.mostPages {
        let pageName = PlacedName.name(name, ending: number == 1 ? ".txt" : "-\(number).txt")
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

  /// Gives the file up.
  func abandon() { try? folder.remove(temporary) }

  /// The other file under another name: a second name first, so that at no moment it has none.
  private func keep(_ name: [UInt8], as old: [UInt8]) throws {
    do {
      try folder.link(name, as: old)
    } catch let error where error.isAlreadyThere {
      guard try folder.status(of: old).isSameFile(as: folder.status(of: name)) else { throw error }
    } catch let error where error.isUnsupported {
      try folder.rename(name, to: old, replacing: false)
    }
    try folder.sync()
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
