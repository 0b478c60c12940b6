public import FuekiSystem

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
