internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// A file read once for its digest, and again in parts when the archive is written.
final class StreamedFile: Sendable {
  /// The section of its parts.
  let section: Section
  private let path: [UInt8]
  private let name: [UInt8]
  private let status: FileStatus
  /// A copy to read in place of the file, if its program may be writing it.
  private let copy: CopiedFile?
  private let byteCount: UInt64
  private let file: KeptFile
  let id: [UInt8]
  let origin: FileOrigin
  private let changes: SourceChanges

  /// Reads a file once; nil if it was written meanwhile.
  ///
  /// - Parameters:
  ///   - found: the file.
  ///   - copy: a consistent copy, if the file itself may be inconsistent.
  ///   - file: how it is kept.
  ///   - changes: the files that changed while they were read; this one is copied first if it did.
  /// - Throws: errors of the system.
  init?(
    _ found: borrowing FoundFile, _ copy: CopiedFile?, _ file: KeptFile, _ changes: SourceChanges
  ) throws {
    var (copy, status) = (copy, found.status)
    let real = found.realPath
    if copy == nil, changes.needsCopy(real, status, of: file.collector) {
      guard let still = try StillCopy(of: found, in: changes) else { return nil }
      (copy, status) = (still.file, still.status)
    }
    section = file.isSecret ? .secretFiles : .files
    (path, name, self.file, self.copy, self.status) = (real, found.name, file, copy, status)
    self.changes = changes
    byteCount = copy?.byteCount ?? status.size
    origin = found.origin(program: file.program)
    var digest = FileID(of: file.source, found.name, isSecret: file.isSecret)
    var offset: UInt64 = 0
    while offset < byteCount {
      try Interrupted.check()
      let part = try Self.part(of: found.file, at: offset, byteCount, copy)
      guard part.count > 0 else { return nil }
      part.withBytes { digest.add($0) }
      offset += UInt64(part.count)
    }
    id = digest.finish()
    guard try copy != nil || found.file.status() == found.status else { return nil }
  }

  private init(_ other: StreamedFile, id: [UInt8], in section: Section) {
    (path, name, status, file) = (other.path, other.name, other.status, other.file)
    (copy, changes, byteCount, origin) = (other.copy, other.changes, other.byteCount, other.origin)
    (self.section, self.id) = (section, id)
  }

  /// A file that another process of this program read.
  init(_ found: ReadFile, copy: CopiedFile?, _ changes: SourceChanges) {
    (section, path, name, status) = (found.section, found.path, found.name, found.status)
    (id, origin, file) = (found.id, found.origin, found.file)
    (self.copy, self.changes) = (copy, changes)
    byteCount = copy?.byteCount ?? found.status.size
  }

  /// Its description for another process, which accompanies the copy.
  var read: ReadFile {
    ReadFile(
      section: section, path: path, name: name, status: status, id: id, origin: origin, file: file)
  }

  /// The descriptor of the copy that is read in the file's place; nil if the file itself is read.
  var copyDescriptor: Int32? { copy?.file.descriptor }

  /// Returns the same file with another id.
  func named(_ id: [UInt8]) -> StreamedFile {
    id == self.id ? self : StreamedFile(self, id: id, in: section)
  }

  /// Returns the same file as a secret one.
  var asSecret: StreamedFile { StreamedFile(self, id: id, in: .secretFiles) }

  /// The collector's kind.
  var source: String { file.source }

  /// The file's name for people.
  var nameText: String { FileName.text(name) }

  /// The number of records, at least one.
  var partCount: Int {
    Int(
      clamping: max(
        1, (byteCount + UInt64(FileRecords.partByteCount) - 1) / UInt64(FileRecords.partByteCount)))
  }

  /// Passes the parts as records of ``Section/secretFiles`` to `emit`.
  func forEachSecretPart(_ emit: (borrowing SecretBytes) throws -> Void) throws {
    for number in 0..<partCount {
      let offset = UInt64(number) * UInt64(FileRecords.partByteCount)
      var part = SecretFilePart(
        id: id, source: file.source, path: name, offset: offset, total: byteCount,
        content: SharedSecret(try read(at: offset)))
      part.modifiedAt = status.modificationTime.microseconds
      part.mode = UInt32(status.permissions)
      part.format = file.format
      if number == 0 {
        origin.note(in: &part)
        if let extra = Extra(hazards: file.hazards) { part.extra.append(extra) }
      }
      try emit(try part.encoded())
    }
  }

  /// Passes the parts as records of ``Section/files`` to `body`.
  func forEachPart(_ body: (FilePart) throws -> Void) throws {
    for number in 0..<partCount { try body(try part(number)) }
  }

  /// Returns jobs for the parts, as records of ``Section/files``.
  func batches() -> BundleBuilder.BatchSource {
    let next = Locked(0)
    return {
      let number = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard number < self.partCount else { return nil }
      return { try self.batch(number) }
    }
  }

  private func batch(_ number: Int) throws -> RecordBatch {
    var batch = RecordBatch()
    batch.append(try part(number).serializedBytes() as [UInt8])
    return batch
  }

  private func part(_ number: Int) throws -> FilePart {
    let offset = UInt64(number) * UInt64(FileRecords.partByteCount)
    var part = FilePart()
    part.id = Data(id)
    part.source = file.source
    part.path = Data(name)
    part.offset = offset
    part.total = byteCount
    part.content = Data(try read(at: offset).withBytes { $0.copied() })
    part.mode = UInt32(status.permissions)
    if let time = status.modificationTime.microseconds { part.modifiedAt = time }
    part.format = file.format
    if !file.address.isEmpty { part.address = PackedText.pack(file.address) }
    part.kdf = file.kdf
    if number == 0 {
      origin.note(in: &part)
      if let extra = Extra(hazards: file.hazards) { part.extra.append(extra) }
    }
    return part
  }

  private func read(at offset: UInt64) throws -> SecretBytes {
    if let copy { return try Self.part(of: copy.file, at: offset, byteCount) }
    if let part = try? unchangedPart(at: offset) { return part }
    changes.record(changed: path)
    throw CollectError.sourceKeepsChanging(name: file.collector)
  }

  /// Returns a part of the file itself; nil if the file has changed.
  private func unchangedPart(at offset: UInt64) throws -> SecretBytes? {
    let file = try File.openRegular(path, symbolicLinks: .refuse)
    let part = try Self.part(of: file, at: offset, byteCount)
    guard try file.status() == status, status.size == 0 || part.count > 0 else { return nil }
    return part
  }

  /// Returns a part of a file; empty if the file became shorter.
  private static func part(
    of file: borrowing File, at offset: UInt64, _ size: UInt64, _ copy: CopiedFile? = nil
  ) throws -> SecretBytes {
    if let copy { return try part(of: copy.file, at: offset, size) }
    let count = Int(clamping: min(UInt64(FileRecords.partByteCount), size - min(offset, size)))
    var bytes = try SecretBytes(count: count)
    let read = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try file.pread(into: &bytes, at: offset)
    }
    return read == count ? bytes : try SecretBytes(count: 0)
  }
}
