/// The user's answer about a folder whose file system keeps no permissions, as exFAT and FAT do.
///
/// Anyone who has such a disk can read and change the files on it.
public enum UnprotectedAnswer: Sendable {
  /// No file goes there.
  case refuse
  /// Files go there.
  case accept
  /// The user decides, once it is known that the file system keeps none.
  case ask(@Sendable (_ path: String) throws -> Bool)

  /// Whether the user has accepted it before it is known.
  public var isAccepted: Bool { if case .accept = self { true } else { false } }

  func isYes(for path: String) throws -> Bool {
    switch self {
    case .refuse: false
    case .accept: true
    case .ask(let question): try question(path)
    }
  }
}
