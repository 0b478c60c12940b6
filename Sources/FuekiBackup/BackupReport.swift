public import FuekiArchive
internal import FuekiWallet

/// The result of a backup: the published archive, whose facts are members of this value too, and the collected contents.
@dynamicMemberLookup
public struct BackupReport: Sendable {
  /// The archive and its places.
  public let published: PublishedArchive
  /// The contents, with the reports of its sources.
  public let bundle: BackupBundle
  /// Archives of the vault that another machine made since this machine's last one; nil if there are none.
  public internal(set) var otherMachine: OtherMachine?
  /// The vaults of others in the targets, if the archive is the first of a vault that begins beside them.
  public internal(set) var beside: [VaultID] = []
  /// The vault that this machine may be meant to continue instead of its own; nil if its owner chose.
  public internal(set) var undecided: VaultID?
  /// Whether another machine made the archive that has what is missing.
  public internal(set) var isLossElsewhere = false
  /// The files that no kind reads, and that this machine's last archive did not have so.
  public internal(set) var newlyUnread: [String] = []
  /// The sources that other archives of the vault have and this run leaves out.
  public internal(set) var leftOutSources: [String] = []

  /// Returns a fact of the published archive.
  public subscript<Fact>(dynamicMember fact: KeyPath<PublishedArchive, Fact>) -> Fact {
    published[keyPath: fact]
  }

  /// The things that earlier archives have and this one has not, and whose loss was not accepted.
  public var losses: [Absence] { published.inventory?.losses ?? [] }

  /// The files of earlier archives that are in another place now.
  public var moved: [FileMove] { published.inventory?.moved ?? [] }

  /// Whether every source was complete, nothing of the last archive is missing, and every target has the archive, its
  /// recovery files and the earlier archives that it needs.
  public var isComplete: Bool {
    losses.isEmpty && published.isComplete && published.copies.isComplete && otherMachine == nil
      && beside.isEmpty && undecided == nil && bundle.reports.allSatisfy(\.complete)
  }
}
