internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// An open regular file of a source.
struct FoundFile: ~Copyable {
  private static let noData: Int32 = 61

  let file: File
  /// The name relative to the source's directory, as the file system's bytes.
  let name: [UInt8]
  let status: FileStatus
  /// The path used for opening, as the file system's bytes.
  let path: [UInt8]
  /// Whether the user named the file itself, and not its directory.
  var isNamed = false
  /// Why programs do not look at the file; nil if they do.
  var passedOver: String?
  /// The place for putting it back, if different.
  var place: [UInt8]?
  /// A consistent copy, if its program may be writing it.
  var copy: CopiedFile?

  init(
    file: consuming File, name: [UInt8], status: FileStatus, path: [UInt8], isNamed: Bool = false,
    place: [UInt8]? = nil
  ) {
    (self.name, self.status, self.path, self.isNamed, self.place) = (name, status, path, isNamed, place)
    self.file = file
  }

  /// The place for putting it back.
  var placePath: [UInt8] { place ?? path }

  /// The path with links resolved: a database's parts are next to the real file.
  var realPath: [UInt8] { CurrentProcess.absolutePath(of: PathText.text(path)).pathBytes }

  /// The file's name for people, with the directories below the source.
  var nameText: String { FileName.text(name) }

  /// The last component of its name.
  var lastName: [UInt8] { name.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [] }

  /// The length of what is read.
  var byteCount: UInt64 { copy?.byteCount ?? status.size }

  /// Returns up to `count` first bytes.
  func beginning(_ count: Int) -> [UInt8] { copy?.file.beginning(count) ?? file.beginning(count) }

  /// Returns up to `count` first bytes, which may be secret.
  func secretBeginning(_ count: Int) throws -> SecretBytes { try read(min(Int(clamping: byteCount), count)) }

  /// Returns the whole content, in protected memory.
  ///
  /// - Throws: errors of the system, also if the file became shorter.
  func bytes() throws -> SecretBytes {
    let count = Int(clamping: byteCount)
    let bytes = try read(count)
    guard bytes.count == count else { throw SystemError(code: Self.noData, call: "pread", path: file.path) }
    return bytes
  }

  /// Returns the whole content of a file without secrets.
  func publicBytes() throws -> [UInt8] { try bytes().withBytes { $0.copied() } }

  /// Returns the file for readers that go to and fro in it.
  func whole() throws -> CopiedFile { try copy ?? CopiedFile(File.openRegular(path)) }

  private func read(_ count: Int) throws -> SecretBytes {
    var bytes = try SecretBytes(count: count)
    let read = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      if let copy { return try copy.file.pread(into: &bytes, at: 0) }
      return try file.pread(into: &bytes, at: 0)
    }
    return read == count ? bytes : try bytes.copy(0..<read)
  }

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

extension File {
  /// Returns up to `count` first bytes.
  borrowing func beginning(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = (try? pread(into: &bytes, at: 0)) ?? 0
    return Array(bytes.prefix(read))
  }
}
