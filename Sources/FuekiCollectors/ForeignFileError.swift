/// Why a file cannot be read as the kind that it was given for.
public enum ForeignFileError: Error, Equatable, Sendable {
  /// It is something else, or damaged.
  case notThisFormat(reason: String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .notThisFormat(let reason): reason
    }
  }
}
