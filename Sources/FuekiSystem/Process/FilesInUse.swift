/// Who uses a file, and what shows it.
public struct FileUse: Sendable, Hashable {
  /// What shows that a program runs.
  public enum Sign: String, Sendable {
    /// It has the file open.
    case open
    /// It holds a lock on the file.
    case lock
    /// The file is there only while it runs, or it was killed.
    case present
  }

  /// What shows it.
  public let sign: Sign
  /// The file.
  public let path: String
  /// The process; nil where the system does not say.
  public let process: Int32?
  /// The program's name, as the system has it.
  public let name: String?
}

/// The files that this machine's processes have open or locked.
///
/// Whose descriptors the system does not show, those of other people, are missed; locks are shown of all.
public struct FilesInUse: Sendable {
  private struct Inode: Hashable {
    let device: UInt64
    let number: UInt64
  }

  private let open: OpenPaths
  private var locks: [Inode: Int32] = [:]

  /// What is open now.
  public init() {
    open = OpenPaths()
    readLocks()
  }

  /// Who has a path open, or something in the folder that it is; else who holds a lock on it.
  ///
  /// - Parameters:
  ///   - path: a file or a folder.
  ///   - isSign: the file itself shows that its program runs.
  /// - Returns: nil where nobody is seen to use it.
  public func use(of path: String, isSign: Bool = false) -> FileUse? {
    let real = CurrentProcess.absolutePath(of: path)
    if let entry = open.below(real.pathBytes).first {
      let name = entry.program.isEmpty ? nil : entry.program
      return FileUse(sign: .open, path: path, process: entry.processID, name: name)
    }
    if let status = try? File.openRegular(real).status(),
      let process = locks[Inode(device: status.device, number: status.inode)]
    {
      let name = OpenPaths.program(of: process)
      return FileUse(sign: .lock, path: path, process: process, name: name.isEmpty ? nil : name)
    }
    return isSign ? FileUse(sign: .present, path: path, process: nil, name: nil) : nil
  }

  /// Lines such as `1: POSIX  ADVISORY  WRITE 3568 fd:00:2531452 0 EOF`; of those that wait the number is followed by
  /// an arrow, and they hold nothing.
  private mutating func readLocks() {
    guard let bytes = try? File.open("/proc/locks").readAll(limit: 16 << 20) else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] != "->", let process = Int32(words[4]) else { continue }
      let place = words[5].split(separator: ":")
      guard place.count == 3, let major = UInt64(place[0], radix: 16),
        let minor = UInt64(place[1], radix: 16),
        let number = UInt64(place[2])
      else { continue }
      locks[Inode(device: Self.device(major, minor), number: number)] = process
    }
  }

  /// A device's number as `stat` gives it: the C library makes it with a macro.
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xFFFF_F000) << 32 | (major & 0xFFF) << 8 | (minor & 0xFFFF_FF00) << 12 | minor & 0xFF
  }
}
