internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem
internal import FuekiWallet

/// Shell completions for options whose type or path does not determine them.
extension CompletionKind {
  /// The names of scopes and sections.
  static var sections: CompletionKind {
    .list(ArchiveScope.allCases.map(\.name) + Section.allCases.filter { $0 != .manifest }.map(\.name))
  }

  /// The handling of existing records that differ.
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

  /// Where files of other programs go: home, none, or a folder.
  static var placings: CompletionKind {
    .custom { _, _, typed in ["home", "none"] + Folders.beginning(with: typed) }
  }

  /// The hazards that the user can confirm.
  static var hazards: CompletionKind { .list(WalletHazard.allCases.map(\.rawValue)) }
}

/// The folders that a path which is being typed can go on to.
private enum Folders {
  static func beginning(with typed: String) -> [String] {
    let parts = PathParts(typed)
    let folder = typed.contains("/") ? HomePath.expanded(parts.folder) : "."
    let start = typed.contains("/") ? typed.dropLast(parts.name.count) : ""
    let names = ((try? Directory.open(folder).list()) ?? []).filter { $0.kind == .directory }
      .compactMap(\.text).filter {
        $0.hasPrefix(parts.name) && (!$0.hasPrefix(".") || parts.name.hasPrefix("."))
      }
    return names.sorted().map { "\(start)\($0)/" }
  }
}
