internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiWallet

/// What shells complete the values of options with, where neither their types nor paths say it.
extension CompletionKind {
  /// The names of scopes and sections.
  static var sections: CompletionKind {
    .list(ArchiveScope.allCases.map(\.name) + Section.allCases.filter { $0 != .manifest }.map(\.name))
  }

  /// What becomes of records that are there and differ.
  static var conflictPolicies: CompletionKind { .list(ConflictPolicy.allCases.map(\.rawValue)) }

  /// The kinds of other wallets' files.
  static var sourceKinds: CompletionKind { .list(CollectorKind.all.map(\.name)) }

  /// The beginnings of sources; to zsh a colon is what divides a word from its description.
  static var sources: CompletionKind {
    .custom { _, _, _ in
      let colon = CompletionShell.requesting == .zsh ? "\\:" : ":"
      return ["store", SourceName.all] + CollectorKind.all.map { $0.name + colon }
    }
  }

  /// The dangers that a person can confirm.
  static var hazards: CompletionKind { .list(WalletHazard.allCases.map(\.rawValue)) }
}
