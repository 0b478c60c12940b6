/// Why a file cannot be read as the kind that it was given for.
public enum ForeignFileError: Error, Equatable, Sendable {
  /// It is something else, or damaged.
  case notThisFormat(reason: String)
  /// It was made by a version that is not known here.
  case tooNew(reason: String)
  /// The passphrase does not open it.
  case wrongPassphrase(file: String)
  /// It needs a passphrase, and there is nowhere to ask for one.
  case passphraseNeeded(file: String)
  /// What it asks for is more than any wallet's file needs.
  case overLimit(reason: String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .notThisFormat(let reason), .tooNew(let reason), .overLimit(let reason): reason
    case .wrongPassphrase(let file): "the passphrase does not open \(file)"
    case .passphraseNeeded(let file): "\(file) is encrypted by its wallet, and needs that passphrase"
    }
  }
}
