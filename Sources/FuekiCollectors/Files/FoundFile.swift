internal import FuekiBackup
internal import FuekiSystem

/// An open regular file of a source.
struct FoundFile: ~Copyable {
  let file: File
  /// The name relative to the source's directory, as the file system's bytes.
  let name: [UInt8]
  let status: FileStatus
  /// The path used for opening, as the file system's bytes.
  let path: [UInt8]
  /// Whether the user named the file itself, and not its directory.
  var isNamed = false
  /// The place for putting it back, if different.
  var place: [UInt8]?

  /// The place for putting it back.
  var placePath: [UInt8] { place ?? path }

  /// The path with links resolved: a database's parts are next to the real file.
  var realPath: [UInt8] { CurrentProcess.absolutePath(of: PathText.text(path)).pathBytes }

  /// Why an archive cannot contain the file; nil if it can.
  ///
  /// A sparse file of a few kilobytes can be terabytes long, and an archive stores its holes as zeros.
  var sparseReason: String? {
    guard status.size > BackupLimits.holeByteCount else { return nil }
    let holes = file.holeByteCount()
    guard holes > BackupLimits.holeByteCount else { return nil }
    return "it has holes of \(holes) bytes, which an archive would hold as zeros, and at most "
      + "\(BackupLimits.holeByteCount >> 30) GiB of them are backed up: have its program write it again"
  }

  /// Returns the file's original place and program.
  func origin(program: String?) -> FileOrigin { FileOrigin(path: placePath, program: program) }
}
