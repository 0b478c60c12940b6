/// An error that stops the collection of a backup's contents.
public enum CollectError: Error, Equatable, Sendable {
  /// A key share's id has not 16 bytes.
  case shareID(name: String)
  /// The id of a record of this section is not a packed text.
  case recordID(section: String)
  /// The keychain does not open.
  case keychain(KeychainProblem)
  /// The source kept changing while it was collected.
  case sourceKeepsChanging(name: String)
  /// With this source an archive would hold more than ``BackupLimits`` allows.
  case tooMuch(Amount)

  /// The things that ``BackupLimits`` limits.
  public enum Amount: Hashable, Sendable {
    case files
    case secrets
    case secretBytes
  }

  /// Why a keychain does not open.
  public enum KeychainProblem: Hashable, Sendable {
    case missingSecret
    case wrongSecret
    case damaged
    case newer
    case notThere
  }
}
