internal import Glibc

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
