/// The files that this machine's processes have open or locked.
///
/// Open files of other users' processes are mostly invisible. Locks are visible for all.
public struct FilesInUse: Sendable {
  private struct Inode: Hashable {
    let device: UInt64
    let number: UInt64
  }

  private let open: OpenPaths
  private var locks: [Inode: Int32] = [:]

  /// Reads the files in use now.
  public init() {
    open = OpenPaths()
    readLocks()
  }

  /// Finds a process that has a path or something below it open, or else that holds a lock on it.
  ///
  /// - Parameters:
  ///   - path: A file or directory.
  ///   - isSign: Whether the file's existence indicates that its program is running.
  /// - Returns: The use, or `nil` if none was found.
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

  /// Parses lines such as `1: POSIX  ADVISORY  WRITE 3568 fd:00:2531452 0 EOF`.
  ///
  /// An arrow after the number marks a waiting request, which holds no lock.
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

  /// Returns a device number as in `stat`.
  ///
  /// The C library has only a macro for that.
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xFFFF_F000) << 32 | (major & 0xFFF) << 8 | (minor & 0xFFFF_FF00) << 12 | minor & 0xFF
  }
}
