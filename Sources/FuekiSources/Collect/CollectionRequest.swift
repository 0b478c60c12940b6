public import FuekiWallet

/// A user's request for the contents of a backup.
public struct CollectionRequest: Sendable {
  /// The requested sections.
  public var selection: SectionSelection
  /// Whether private keys, seed phrases and files with secrets in the clear leave.
  public var includesPrivateKeys: Bool
  /// The condition that would include them, for the sentence "it leaves …".
  public var condition = "only with --include-private-keys"
  /// Whether the user excluded secrets, so that they do not count as missing.
  public var secretsAreUnwanted = false
  /// Whether a backup is made, not an import: it keeps files that do not open, and assesses the backup of each wallet.
  public var isForBackup = false
  /// Which files changed while they were read.
  public var changes = SourceChanges()
  /// The paths of this machine's folders of archives, which no source brings into the next archive.
  public var targetFolders: [String] = []
  /// Meters the work that the source's files ask for; each source gets a budget of its own.
  public var work = WorkBudget()

  /// Everything but private keys, unless told otherwise.
  public init(selection: SectionSelection = .everything, includesPrivateKeys: Bool = false) {
    self.selection = selection
    self.includesPrivateKeys = includesPrivateKeys
  }
}

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
