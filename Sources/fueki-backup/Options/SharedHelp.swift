internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem
internal import FuekiWallet

/// The words of arguments that several commands declare.
extension ArgumentHelp {
  /// An archive that a command works on.
  static var archive: ArgumentHelp {
    ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive")
  }

  /// The signers that a command accepts or retires.
  static func signers(_ valueName: String) -> ArgumentHelp {
    ArgumentHelp("A signer's public key, its fueki-signer line, or a file of them.", valueName: valueName)
  }

  /// Sections that a command leaves out.
  static var exclude: ArgumentHelp {
    ArgumentHelp("Leave out these scopes or sections, separated by commas.", valueName: "sections")
  }

  /// The handling of records that differ.
  static var onConflict: ArgumentHelp {
    ArgumentHelp(
      "How to resolve records that differ: fail, skip, newer, replace or rename.",
      valueName: "rule")
  }

  /// A vault's newest archive that the user knows.
  static var known: ArgumentHelp {
    ArgumentHelp(
      "A vault's newest archive that you know, VAULT:SEQUENCE:DIGEST.", valueName: "known",
      visibility: .more)
  }

  /// The files of guardians' shares.
  static var guardianSheets: ArgumentHelp {
    ArgumentHelp("Sheets, or files with one share's words.", valueName: "file")
  }

  /// The guardians' public file.
  static var guardiansToCompare: ArgumentHelp {
    ArgumentHelp("The guardians' public file, to compare with.", valueName: "file")
  }

  /// The vault of the guardians.
  static var guardedVault: ArgumentHelp {
    ArgumentHelp("The vault, 32 hex digits, if the public file does not name it.", valueName: "hex")
  }

  /// A server's key in the keychain.
  static var credentialName: ArgumentHelp {
    "Its name, as credential_keychain in config.toml has it."
  }
}

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

  /// The places of a secret; behind `file:`, the folders and files.
  static var secretPlaces: CompletionKind {
    .custom { words, index, typed in
      let colon = CompletionShell.requesting == .zsh ? "\\:" : ":"
      let path = SecretPlace.withoutScheme(typed)
      // The short option takes a path alone, too.
      if path == typed, words.indices.contains(index - 1), words[index - 1] == "-p" {
        return Folders.beginning(with: typed, files: true)
      }
      guard path == typed else {
        return Folders.beginning(with: path, files: true).map { "file\(colon)\($0)" }
      }
      return SecretPlace.schemes.map { $0.dropLast() + colon }
    }
  }
}

/// The folders that a path which is being typed can go on to.
private enum Folders {
  static func beginning(with typed: String, files: Bool = false) -> [String] {
    let parts = PathParts(typed)
    let folder = typed.contains("/") ? HomePath.expanded(parts.folder) : "."
    let start = typed.contains("/") ? typed.dropLast(parts.name.count) : ""
    let names = ((try? Directory.open(folder).list()) ?? []).filter { files || $0.kind == .directory }
      .compactMap { entry in entry.text.map { (name: $0, end: entry.kind == .directory ? "/" : "") } }
      .filter {
        $0.name.hasPrefix(parts.name) && (!$0.name.hasPrefix(".") || parts.name.hasPrefix("."))
      }
    return names.map { "\(start)\($0.name)\($0.end)" }.sorted()
  }
}

/// Which sections a command works on.
struct OnlyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only these scopes or sections, separated by commas.", valueName: "sections"),
    completion: .sections)
  var only: [String] = []

  /// The names in the options, one by one.
  static func names(_ options: [String]) -> [String] {
    options.flatMap { $0.split(separator: ",").map(String.init) }
  }

  func selection(excluding exclude: [String] = []) throws -> SectionSelection {
    try SectionSelection(only: Self.names(only), exclude: Self.names(exclude))
  }
}

extension ConflictPolicy {
  /// Reads the value of `--on-conflict`.
  init(option: String) throws {
    guard let policy = ConflictPolicy(rawValue: option) else {
      throw ValidationError("--on-conflict is fail, skip, newer, replace or rename")
    }
    self = policy
  }
}
