internal import FuekiSystem

/// The files that a reader of one source may see: those at its path, and those that belong to a file there.
struct SourcePlace {
  private static let slash = UInt8(ascii: "/")
  private static let logFolder = Array("database".utf8)

  /// The path as it was given, from the root, and the path without links.
  private let roots: [[UInt8]]
  private let isFolder: Bool

  init(path: String) {
    let given = path.hasPrefix("/") ? path : "\(CurrentProcess.folder ?? "")/\(path)"
    roots = [given.pathBytes, CurrentProcess.absolutePath(of: path).pathBytes]
    isFolder = (try? Directory.open(path)) != nil
  }

  /// The rights of a reader.
  var rules: SandboxRules {
    var rules = SandboxRules()
    for root in roots {
      rules.allow(.read, root)
      guard !isFolder else { continue }
      let (folder, _) = Self.parts(root)
      for name in neighbours(of: root) { rules.allow(.read, folder + name) }
      rules.allow(.read, folder + Self.logFolder)
    }
    return rules
  }

  /// Whether a path, without links, is one of these files.
  ///
  /// A reader names the files that are kept, and this program reads them again with all of its rights: it reads only
  /// those that the reader could have read. The reader changes no folder, so it cannot put a link there.
  func contains(_ path: [UInt8]) -> Bool {
    guard CurrentProcess.absolutePath(of: PathText.text(path)).pathBytes == path else { return false }
    guard let root = roots.last else { return false }
    if path == root { return true }
    guard !isFolder else { return path.starts(with: root.last == Self.slash ? root : root + [Self.slash]) }
    return roots.contains { root in
      let (folder, name) = Self.parts(root)
      let real = CurrentProcess.absolutePath(of: PathText.text(folder)).pathBytes
      let start = real.last == Self.slash ? real : real + [Self.slash]
      guard path.starts(with: start) else { return false }
      let rest = Array(path.dropFirst(start.count))
      return rest.starts(with: Self.logFolder + [Self.slash])
        || !rest.contains(Self.slash) && rest.starts(with: Self.stem(name))
    }
  }

  /// The names in a file's folder that begin as it does: its logs, its keys, its address.
  private func neighbours(of root: [UInt8]) -> [[UInt8]] {
    let (folder, name) = Self.parts(root)
    let entries = (try? Directory.open(PathText.text(folder)).list()) ?? []
    return entries.map(\.name).filter { $0.starts(with: Self.stem(name)) }
  }

  /// The folder, with its slash, and the name in it.
  private static func parts(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    let end = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
    return (Array(path[..<end]), Array(path[end...]))
  }

  /// A name without its last ending, or without that of a Monero wallet's address.
  private static func stem(_ name: [UInt8]) -> [UInt8] {
    let address = Array(MoneroCollector.addressEnding.utf8)
    if name.count > address.count, name.suffix(address.count).elementsEqual(address) {
      return name.dropLast(address.count)
    }
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }
}
