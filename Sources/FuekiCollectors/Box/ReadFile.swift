internal import FuekiArchive
internal import FuekiSystem
internal import FuekiWallet

/// A file that is kept byte for byte, as its reader describes it to the process that writes the archive.
struct ReadFile {
  let section: Section
  let path: [UInt8]
  let name: [UInt8]
  let status: FileStatus
  let id: [UInt8]
  let origin: FileOrigin
  let file: KeptFile

  func write(to frame: inout FrameWriter) {
    frame.add(section.rawValue)
    frame.add(path)
    frame.add(name)
    frame.add(status)
    frame.add(id)
    frame.add(optional: origin.place)
    frame.add(origin.program)
    frame.add(origin.version)
    frame.add(file.source)
    frame.add(file.collector)
    frame.add(file.format)
    frame.add(file.hazards)
    frame.add(file.address)
    frame.add(file.kdf)
  }
}

extension ReadFile {
  init(from frame: inout ByteReader) throws {
    guard let section = Section(rawValue: try frame.u16()), section == .files || section == .secretFiles
    else {
      throw ReaderError.nonsense
    }
    self.section = section
    path = try frame.nextCounted()
    name = try frame.nextCounted()
    status = try frame.nextStatus()
    id = try frame.nextCounted()
    origin = FileOrigin(
      place: try frame.nextOptional(), program: try frame.nextText(), version: try frame.nextText())
    file = try KeptFile(from: &frame, isSecret: section == .secretFiles)
    guard id.count == SecretFilePart.idByteCount, status.kind == .file else { throw ReaderError.nonsense }
  }
}

extension KeptFile {
  fileprivate init(from frame: inout ByteReader, isSecret: Bool) throws {
    (source, collector) = (try frame.nextText(), try frame.nextText())
    (self.isSecret, format, hazards) = (isSecret, try frame.nextText(), try frame.nextTexts())
    (address, kdf) = (try frame.nextText(), try frame.nextText())
  }
}

extension FileKind {
  private static let all: [FileKind] = [.file, .directory, .symbolicLink, .other]

  fileprivate var number: UInt8 {
    switch self {
    case .file: 0
    case .directory: 1
    case .symbolicLink: 2
    case .other: 3
    }
  }

  fileprivate init?(number: UInt8) {
    guard Self.all.indices.contains(Int(number)) else { return nil }
    self = Self.all[Int(number)]
  }
}

extension FrameWriter {
  mutating func add(_ status: FileStatus) {
    add(status.kind.number)
    add(status.size)
    add(status.permissions)
    add(status.owner)
    add(status.group)
    add(UInt64(bitPattern: status.modificationTime.seconds))
    add(UInt64(bitPattern: status.modificationTime.nanoseconds))
    add(status.device)
    add(status.inode)
    add(status.linkCount)
  }
}

extension ByteReader {
  mutating func nextStatus() throws(Exhausted) -> FileStatus {
    guard let kind = FileKind(number: try u8()) else { throw Exhausted() }
    return FileStatus(
      kind: kind, size: try u64(), permissions: try u16(), owner: try u32(), group: try u32(),
      modificationTime: FileTime(
        seconds: Int64(bitPattern: try u64()), nanoseconds: Int64(bitPattern: try u64())),
      device: try u64(), inode: try u64(), linkCount: try u64())
  }
}
