internal import Glibc

/// What processes have open, as far as this user may see.
public struct OpenPaths: Sendable {
  /// A process with something open.
  public struct Entry: Sendable, Hashable {
    /// Its number.
    public let processID: Int32
    /// What it is called.
    public let program: String
    /// What it has open, without links.
    public let path: [UInt8]
  }

  /// Everything that other processes have open by a path.
  public let entries: [Entry]

  /// Looks at all processes but this one; those of other people mostly cannot be seen.
  public init() {
    entries = (try? Self.read()) ?? []
  }

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

  /// What a process is called; empty where the system does not say.
  static func program(of process: Int32) -> String {
    guard let folder = try? Directory.open("/proc/\(process)") else { return "" }
    return name(of: folder)
  }

  private static func name(of process: borrowing Directory) -> String {
    let bytes = (try? process.openFile("comm").readAll(limit: 256)) ?? []
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Those that have something open below a folder, or the folder itself.
  public func below(_ folder: [UInt8]) -> [Entry] {
    entries.filter { $0.path == folder || $0.path.starts(with: folder + [UInt8(ascii: "/")]) }
  }
}
