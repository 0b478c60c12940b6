public import FuekiSystem

/// An archive's bytes, shared by the reading stages and their workers.
public final class ArchiveFile: Sendable {
  private let source: any ArchiveSource
  private let local: LocalFile?

  /// Takes ownership of `file`, which is closed when the last stage releases it.
  public init(_ file: consuming File) {
    let file = LocalFile(file)
    source = file
    local = file
  }

  /// A read-only archive stored elsewhere.
  public init(_ source: any ArchiveSource) {
    self.source = source
    local = nil
  }

  /// The file's current length in bytes.
  public func byteCount() throws(SystemError) -> UInt64 { try source.byteCount() }

  /// The path with which a local file was opened; nil if it is stored elsewhere.
  var path: String? { local?.file.path }

  /// Makes written data durable.
  public func sync() throws(SystemError) { try local?.file.sync() }

  /// How much of the file is stored, judged by its holes.
  ///
  /// An archive stored elsewhere counts as complete.
  var storedPart: File.StoredPart { local?.file.storedPart() ?? .all }

  /// Whether any of these bytes may be nonzero.
  ///
  /// True if the file is stored elsewhere, where holes are unknown.
  func mayHoldData(in range: Range<UInt64>) -> Bool { local?.file.mayHoldData(in: range) ?? true }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    guard let local else { throw SystemError(.readOnly, call: "pwrite") }
    try local.file.pwriteAll(bytes.span, at: offset)
  }

  /// Starts writing dirty pages to disk, so that ``sync()`` waits less.
  func startWriteback(of length: Int, at offset: UInt64) {
    local?.file.startWriteback(offset: offset, length: UInt64(length))
  }

  /// Returns `count` bytes from `offset`, or fewer at the file's end.
  func read(_ count: Int, at offset: UInt64) throws(ArchiveError) -> [UInt8] {
    do {
      return try source.read(count, at: offset)
    } catch { throw .unreadable(error) }
  }

  /// Prepares for reading every byte: downloads an archive stored elsewhere, once.
  func gather(progress: (UInt64) throws -> Void) throws {
    do {
      try source.gather(progress: progress)
    } catch let error as SystemError {
      throw ArchiveError.unreadable(error)
    }
  }
}

/// A source of an archive's bytes other than a local file.
public protocol ArchiveSource: Sendable {
  /// Returns the length in bytes.
  func byteCount() throws(SystemError) -> UInt64

  /// Returns `count` bytes from `offset`, or fewer at the archive's end.
  func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8]

  /// Prepares for reading every byte, from any thread.
  ///
  /// - Parameter progress: receives the number of bytes available so far; an error thrown by it ends the
  ///   work.
  /// - Throws: `SystemError` if the bytes cannot be obtained, and the errors of `progress`.
  func gather(progress: (UInt64) throws -> Void) throws
}

/// A local file.
final class LocalFile: ArchiveSource {
  let file: File

  init(_ file: consuming File) { self.file = file }

  func byteCount() throws(SystemError) -> UInt64 { try file.size() }

  func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let length = try file.pread(into: &bytes, at: offset)
    bytes.removeSubrange(length...)
    return bytes
  }

  func gather(progress: (UInt64) throws -> Void) {}
}
