internal import FuekiCrypto
internal import FuekiSystem

/// A file that is being written beside its place: it gets its name once it is whole, durable and read back.
final class PlacedWriting {
  private static let prefix = ".fueki-"
  private static let suffix = ".part"
  private static let bufferByteCount = 4 << 20

  let planned: PlannedFile
  private let folder: Directory
  private let temporary: String
  private let file: File
  private var assembled: FileParts

  /// Makes an empty file beside the place, in a folder that is made where it is missing.
  init(_ planned: PlannedFile, in folder: consuming Directory) throws {
    self.planned = planned
    assembled = FileParts(total: planned.byteCount)
    temporary = "\(Self.prefix)\(String(UInt64.random(in: .min ... .max), radix: 16))\(Self.suffix)"
    file = try folder.createFile(temporary)
    // Who writes holds the lock, so that nobody takes the file for one that was abandoned.
    _ = try? file.tryLockExclusive()
    self.folder = folder
  }

  /// Removes what runs that were cut off left behind in a folder.
  static func removeAbandoned(in folder: borrowing Directory) throws {
    for entry in try folder.list() where entry.kind == .file {
      guard let name = entry.text, name.hasPrefix(prefix), name.hasSuffix(suffix),
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
    case .new: try file.pwriteAll(content, at: offset)
    }
    return assembled.cover
  }

  /// Reads the file back from the device and gives it its name; another one that is there stays, unless it is replaced.
  ///
  /// - Throws: ``PlacingError/readBackDiffers(path:)``; an error with ``SystemError/isAlreadyThere`` where something has
  ///   come into the place meanwhile.
  func finish(keepingOldAs old: [UInt8], page: (HoldReason, String) -> String) throws {
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
      let text = String(decoding: name, as: UTF8.self)
      let page = Array(page(hold, text).utf8)
      let pageName = PlacedName.name(name, ending: ".txt")
      try folder.writeWhole(page, as: String(decoding: pageName, as: UTF8.self), replacing: true)
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
