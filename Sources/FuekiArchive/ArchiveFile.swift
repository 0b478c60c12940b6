public import FuekiSystem

/// An archive's bytes, shared by the stages that read them and by their workers.
public final class ArchiveFile: Sendable {
  private let source: any ArchiveSource
  private let local: LocalFile?

  /// Takes over `file`, which is closed when the last stage is done with it.
  public init(_ file: consuming File) {
    let file = LocalFile(file)
    source = file
    local = file
  }

  /// An archive that is only read, and lies elsewhere.
  public init(_ source: any ArchiveSource) {
    self.source = source
    local = nil
  }

  /// The file's length in bytes, now.
  public func byteCount() throws(SystemError) -> UInt64 { try source.byteCount() }

  /// Makes what was written durable.
  public func sync() throws(SystemError) { try local?.file.sync() }

  /// How much of the file is there, by its holes; all of it where it lies elsewhere.
  var storedPart: File.StoredPart { local?.file.storedPart() ?? .all }

  /// Whether any of these bytes may be other than zero; where the file lies elsewhere nobody knows.
  func mayHoldData(in range: Range<UInt64>) -> Bool { local?.file.mayHoldData(in: range) ?? true }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    guard let local else { throw SystemError(.readOnly, call: "pwrite") }
    try local.file.pwriteAll(bytes.span, at: offset)
  }

  /// Has the kernel begin to put written bytes on the disk, so that ``sync()`` has less to wait for.
  func startWriteback(of length: Int, at offset: UInt64) {
    local?.file.startWriteback(offset: offset, length: UInt64(length))
  }

  /// `count` bytes from `offset`, or fewer where the file ends.
  func read(_ count: Int, at offset: UInt64) throws(ArchiveError) -> [UInt8] {
    do {
      return try source.read(count, at: offset)
    } catch { throw .unreadable(error) }
  }

  /// Makes ready for reading every byte: what lies elsewhere is brought here, once.
  func gather(progress: (UInt64) throws -> Void) throws {
    do {
      try source.gather(progress: progress)
    } catch let error as SystemError {
      throw ArchiveError.unreadable(error)
    }
  }
}
