public import FuekiSystem

/// An archive's file, shared by the stages that read it and by their workers.
public final class ArchiveFile: Sendable {
  let file: File

  /// Takes over `file`, which is closed when the last stage is done with it.
  public init(_ file: consuming File) { self.file = file }

  /// The file's length in bytes, now.
  public func byteCount() throws(SystemError) -> UInt64 { try file.size() }

  /// Makes what was written durable.
  public func sync() throws(SystemError) { try file.sync() }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    try file.pwriteAll(bytes.span, at: offset)
  }

  /// `count` bytes from `offset`, or fewer where the file ends.
  func read(_ count: Int, at offset: UInt64) throws(ArchiveError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do {
      let length = try file.pread(into: &bytes, at: offset)
      bytes.removeSubrange(length...)
      return bytes
    } catch { throw .unreadable(error) }
  }
}
