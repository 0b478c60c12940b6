/// The part of a path that a source collects.
///
/// Coverage checks use it, and collectors' walks must agree with it.
public enum SourceReach: Sendable {
  /// The named file.
  case file
  /// A file, or the files directly in a directory. Hidden ones and editors' backups are kept without being read.
  case folder
  /// A file, or all files below a directory.
  case tree

  /// Whether the walk of a directory reaches a path.
  ///
  /// Both must be without links.
  public func covers(_ path: [UInt8], below folder: [UInt8]) -> Bool {
    let start = folder.last == Self.slash ? folder : folder + [Self.slash]
    guard path.starts(with: start) else { return false }
    let names = path.dropFirst(start.count).split(separator: Self.slash)
    switch self {
    case .file: return false
    case .folder: return names.count == 1 && names.allSatisfy { !FileWalk.isPassedOver(Array($0)) }
    case .tree: return !names.isEmpty && names.count <= FileWalk.depth
    }
  }

  private static let slash = UInt8(ascii: "/")
}
