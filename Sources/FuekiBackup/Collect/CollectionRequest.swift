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
  /// Folders of archives, which no source brings into the next archive.
  public var targets: [Target] = []
  /// Meters the work that the source's files ask for; each source gets a budget of its own.
  public var work = WorkBudget()

  /// Everything but private keys, unless told otherwise.
  public init(selection: SectionSelection = .everything, includesPrivateKeys: Bool = false) {
    self.selection = selection
    self.includesPrivateKeys = includesPrivateKeys
  }
}
