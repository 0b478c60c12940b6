internal import Glibc

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

/// A use of a file, with its evidence.
public struct FileUse: Sendable, Hashable {
  /// The evidence that a program is running.
  public enum Sign: String, Sendable {
    /// The program has the file open.
    case open
    /// The program holds a lock on the file.
    case lock
    /// The file exists only while the program runs, or after it was killed.
    case present
  }

  /// The evidence.
  public let sign: Sign
  /// The file's path.
  public let path: String
  /// The process id, or `nil` if it is unknown.
  public let process: Int32?
  /// The program's name according to the system, or `nil` if it is unknown.
  public let name: String?
}

/// The paths that processes have open, as far as this user may see them.
public struct OpenPaths: Sendable {
  /// A path opened by a process.
  public struct Entry: Sendable, Hashable {
    /// The process id.
    public let processID: Int32
    /// The program's name.
    public let program: String
    /// The open path, with links resolved.
    public let path: [UInt8]

    /// Creates an entry, as another process of this program lists it.
    public init(processID: Int32, program: String, path: [UInt8]) {
      (self.processID, self.program, self.path) = (processID, program, path)
    }
  }

  /// The paths opened by all visible processes.
  public let entries: [Entry]

  /// Lists all processes except this one.
  ///
  /// Those of other users are mostly invisible.
  public init() {
    entries = (try? Self.read()) ?? []
  }

  /// Creates a list from entries of another process.
  public init(entries: [Entry]) { self.entries = entries }

  private static func read() throws(SystemError) -> [Entry] {
    var entries: [Entry] = []
    let all = try Directory.open("/proc")
    for process in try all.list() where process.kind == .directory {
      guard let text = process.text, let number = Int32(text), number != getpid(),
        let folder = try? all.openDirectory(text),
        let open = try? folder.openDirectory("fd"), let names = try? open.list()
      else { continue }
      var program: String?
      for name in names {
        guard let path = try? open.target(ofLink: name.name), path.first == UInt8(ascii: "/") else {
          continue
        }
        let known = program ?? Self.name(of: folder)
        program = known
        entries.append(Entry(processID: number, program: known, path: path))
      }
    }
    return entries
  }

  /// Returns a process's program name, or an empty string if it is unknown.
  static func program(of process: Int32) -> String {
    guard let folder = try? Directory.open("/proc/\(process)") else { return "" }
    return name(of: folder)
  }

  private static func name(of process: borrowing Directory) -> String {
    let bytes = (try? process.openFile("comm").readAll(limit: 256)) ?? []
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Returns the entries for a directory and everything below it.
  public func below(_ folder: [UInt8]) -> [Entry] {
    entries.filter { $0.path == folder || $0.path.starts(with: folder + [UInt8(ascii: "/")]) }
  }
}
