internal import Glibc

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

  private var holders: [String: Int32] = [:]
  private var locks: [Inode: Int32] = [:]

  /// What is open now.
  public static func now() -> FilesInUse {
    var files = FilesInUse()
    files.readLocks()
    files.readDescriptors()
    return files
  }

  /// Who has a path open, or something in the folder that it is; else who holds a lock on it.
  ///
  /// - Parameters:
  ///   - path: a file or a folder.
  ///   - isSign: the file itself shows that its program runs.
  /// - Returns: nil where nobody is seen to use it.
  public func use(of path: String, isSign: Bool = false) -> FileUse? {
    let real = CurrentProcess.absolutePath(of: path)
    if let process = holders[real] ?? holders.first(where: { $0.key.hasPrefix("\(real)/") })?.value {
      return FileUse(sign: .open, path: path, process: process, name: Self.name(of: process))
    }
    if let status = try? File.openRegular(real).status(),
      let process = locks[Inode(device: status.device, number: status.inode)]
    {
      return FileUse(sign: .lock, path: path, process: process, name: Self.name(of: process))
    }
    return isSign ? FileUse(sign: .present, path: path, process: nil, name: nil) : nil
  }

  private static func name(of process: Int32) -> String? {
    guard let bytes = try? File.open("/proc/\(process)/comm").readAll(limit: 4096) else { return nil }
    let name = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
    return name.isEmpty ? nil : String(name)
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

  private mutating func readDescriptors() {
    guard let processes = try? Directory.open("/proc").list() else { return }
    let own = CurrentProcess.identifier
    for entry in processes {
      guard let text = entry.text, let process = Int32(text), process != own,
        let folder = try? Directory.open("/proc/\(text)/fd"), let descriptors = try? folder.list()
      else { continue }
      for descriptor in descriptors {
        if let path = Self.target(of: descriptor.name, in: folder), path.hasPrefix("/") {
          holders[path] = process
        }
      }
    }
  }

  private static func target(of name: [UInt8], in folder: borrowing Directory) -> String? {
    guard let name = try? CPath(component: name) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let capacity = bytes.count
    let descriptor = folder.descriptor
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
      return unsafe name.withPointer { unsafe readlinkat(descriptor, $0, base, capacity) }
    }
    guard count > 0, count < capacity else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
