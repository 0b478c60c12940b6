public import FuekiSystem

/// Where an archive's bytes come from, other than a file of this machine.
public protocol ArchiveSource: Sendable {
  /// How many bytes there are.
  func byteCount() throws(SystemError) -> UInt64

  /// `count` bytes from `offset`, or fewer where the archive ends.
  func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8]

  /// Makes ready for reading every byte, from any thread.
  ///
  /// - Parameter progress: is told the bytes that are ready; what it throws ends the work.
  /// - Throws: `SystemError` where they cannot be had, and what `progress` throws.
  func gather(progress: (UInt64) throws -> Void) throws
}

/// A file of this machine.
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
