/// Why a file cannot be read as the given kind.
public enum ForeignFileError: Error, Equatable, Sendable {
  /// It is of another kind, or damaged.
  case notThisFormat(reason: String)
  /// It is from an unknown newer version.
  case tooNew(reason: String)
  /// The passphrase is wrong.
  case wrongPassphrase(file: String)
  /// It needs a passphrase in an unattended run.
  case passphraseNeeded(file: String)
  /// It demands more than any wallet's file needs.
  case overLimit(reason: String)

  /// A sentence for people.
  public var sentence: String {
    switch self {
    case .notThisFormat(let reason), .tooNew(let reason), .overLimit(let reason): reason
    case .wrongPassphrase(let file): "the passphrase does not open \(file)"
    case .passphraseNeeded(let file): "\(file) is encrypted by its wallet, and needs that passphrase"
    }
  }
}
