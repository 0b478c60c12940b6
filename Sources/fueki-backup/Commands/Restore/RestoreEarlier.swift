internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// Restores the gaps of an archive from earlier archives, or prints the commands for it.
struct RestoreEarlier {
  /// The restore of the later archive, as requested.
  let command: RestoreCommand
  let configuration: Configuration
  let outcome: RestoreOutcome

  private var console: Console { command.output.console }

  /// The archives that have what the restored one lacks, the newest first.
  var archives: [EarlierArchive] {
    EarlierArchive.all(
      outcome.recovered.manifest.losses, beside: outcome.path,
      command.targets.targets(configuration))
  }

  /// Returns the archives in JSON, each with the command that restores its things.
  func documents(_ archives: [EarlierArchive]) throws -> [Members] {
    try archives.map { earlier in
      earlier.document + ["command": try earlier.paths.first.map { try command(for: earlier, $0).words }]
    }
  }

  /// Restores the archives' things if the user agrees, else prints the commands for it.
  ///
  /// - Returns: false if a requested thing, or one whose archive is missing here, was not restored.
  func bring(_ archives: [EarlierArchive]) throws -> Bool {
    var isDone = true
    for earlier in archives {
      guard let first = earlier.paths.first else {
        console.line("")
        console.line(
          "NOT HERE: \(earlier.name), which has \(earlier.things), is in none of these: \(earlier.searched)")
        console.line(
          "look for it where your other archives are, and repeat this restore with --target and that folder")
        isDone = false
        continue
      }
      guard try isWanted(earlier) else {
        print(try command(for: earlier, first), of: earlier)
        continue
      }
      if try !bring(earlier) { isDone = false }
    }
    return isDone
  }

  private func isWanted(_ earlier: EarlierArchive) throws -> Bool {
    if command.yes { return true }
    guard Terminal.isAvailable else { return false }
    return try Asking.yes("bring \(earlier.things) from number \(earlier.link.sequence)", default: true)
  }

  /// Adds the things that one of an archive's copies has.
  ///
  /// - Returns: whether all of them are here now.
  private func bring(_ earlier: EarlierArchive) throws -> Bool {
    var failures: [(path: String, error: any Error)] = []
    for path in earlier.paths {
      do {
        return try bring(earlier, path)
      } catch  where Interrupted.isCause(of: error) {
        throw error
      } catch let error as ArchiveError where error.verdict.mayBeDamage {
        failures.append((path, error))
      } catch {
        failures.append((path, error))
        break
      }
    }
    guard let last = failures.last else { return false }
    for failure in failures {
      console.warning(
        "nothing was brought from \(failure.path): \(Failure(describing: failure.error, during: .restore).message)"
      )
    }
    let isDamaged = (last.error as? ArchiveError)?.verdict.mayBeDamage ?? false
    var again = try command(for: earlier, last.path)
    if isDamaged { again.words.append("--salvage") }
    print(again, of: earlier)
    return false
  }

  private func bring(_ earlier: EarlierArchive, _ path: String) throws -> Bool {
    if let more = earlier.uncounted {
      console.warning("\(earlier.name) has \(more), which are not listed: restore it whole to bring them")
    }
    guard !earlier.items.isEmpty else { return false }
    let stored = try StoredArchive(at: path)
    let secrets = try secrets(of: stored, earlier)
    let lacksBase = earlier.lacksBase(stored, at: path)
    var addition = command
    addition.archive = path
    addition.data.datadir = outcome.dataDirectory
    (addition.item, addition.wallet, addition.only.only) = (earlier.items, [], [])
    addition.exclude = lacksBase ? ["history"] : []
    (addition.resume, addition.salvage, addition.onConflict) = (false, false, .fail)
    addition.files = placing(earlier)
    if lacksBase { warnOfBase(earlier) }
    do {
      try addition.restore(opening: secrets)
    } catch let status as ExitStatus {
      guard status == .resyncIncomplete else {
        console.warning("not everything of \(earlier.name) was brought: see above")
        return false
      }
    }
    return !lacksBase && earlier.uncounted == nil
  }

  /// Returns the secrets of an earlier archive: the later one's, or others from the user.
  private func secrets(of stored: StoredArchive, _ earlier: EarlierArchive) throws -> UnlockingSecrets {
    if let given = outcome.given, try stored.opens(with: given) { return given }
    guard Terminal.isAvailable else { throw ArchiveError.wrongSecret }
    Asking.say(["\(earlier.name) was sealed with another secret: use the secret of that time."])
    var options = command.secrets
    (options.passphrase.passphraseFrom, options.passphrase.keyFile) = (nil, nil)
    (options.identity, options.guardianShares) = ([], [])
    let question = UnlockingQuestion(
      stored: stored, names: configuration.slotNames(of: stored), options: options, console: console)
    return try question.ask(besides: UnlockingSecrets(passphrases: []))
  }

  /// Where the files among the things go: where those of the later archive went.
  private func placing(_ earlier: EarlierArchive) -> PlacingArgument {
    guard earlier.hasFiles else { return .nowhere }
    if let files = command.files { return files }
    guard case .placed(_, let root) = outcome.files, root != Environment.get("HOME") else { return .home }
    return .folder(root)
  }

  private func warnOfBase(_ earlier: EarlierArchive) {
    console.warning(
      "\(earlier.name) keeps its history in another archive, which is not here: the rest is brought without it"
    )
  }

  // MARK: the command that does the same

  /// Options that the command replaces, or that it does not need.
  private static let saidAnew: [(name: String, hasValue: Bool)] = [
    ("--datadir", true), ("--item", true), ("--only", true), ("--exclude", true), ("--wallet", true),
    ("--on-conflict", true), ("--files", true), ("--target", true), ("--dry-run", false), ("--yes", false),
    ("--json", false), ("--accept=older", false), ("--salvage", false), ("--resume", false),
  ]

  /// Options that say what opened the later archive.
  private static let opening: [(name: String, hasValue: Bool)] = [
    ("--passphrase-from", true), ("--key-file", true), ("--identity", true),
  ]

  /// A command that brings what an earlier archive has.
  private struct LaterCommand {
    var words: [String]
    /// Whether the archive's history needs another archive, which is not here.
    let lacksBase: Bool
    /// Whether another secret opens the archive.
    let asksForSecret: Bool
  }

  private func command(for earlier: EarlierArchive, _ path: String) throws -> LaterCommand {
    let stored = try? StoredArchive(at: path)
    let lacksBase = stored.map { earlier.lacksBase($0, at: path) } ?? false
    var asksForSecret = false
    if let stored, let given = outcome.given { asksForSecret = try !stored.opens(with: given) }
    var words = [Offer.name, "restore", path, "--datadir", outcome.dataDirectory]
    words += earlier.items.isEmpty ? ["--on-conflict", "skip"] : earlier.items.flatMap { ["--item", $0] }
    words += ["--files", placing(earlier).text]
    if lacksBase { words += ["--exclude", "history"] }
    words += command.targets.target.flatMap { ["--target", $0] }
    let typed = TypedWords.after("restore")
    let named = command.archive.flatMap { typed.contains($0) ? $0 : nil } ?? command.targets.target.first
    var without = Self.saidAnew
    if asksForSecret { without += Self.opening }
    words += Replay.kept(typed, without: named, without)
    return LaterCommand(words: words, lacksBase: lacksBase, asksForSecret: asksForSecret)
  }

  private func print(_ command: LaterCommand, of earlier: EarlierArchive) {
    console.line("")
    console.line("To bring \(earlier.things) from \(earlier.name). Everything here stays as it is:")
    console.verbatim("  " + command.words.map(ShellWord.quoted).joined(separator: " "))
    if command.lacksBase { warnOfBase(earlier) }
    if command.asksForSecret {
      console.line("that archive was sealed with another secret: the command asks for it")
    }
  }
}

extension PlacingArgument {
  /// The argument as it is typed.
  fileprivate var text: String {
    switch self {
    case .home: "home"
    case .nowhere: "none"
    case .folder(let path): path
    }
  }
}

/// An earlier archive that has things which a restored one lacks.
struct EarlierArchive {
  let link: VaultState.Link
  /// The missing things that the owner has not accepted as lost.
  let absences: [Absence]
  /// The copies of the archive in the folders that were searched.
  let paths: [String]
  /// The folders that were searched.
  let folders: [String]

  private static let shownFolders = 5
  private static let shownThings = 5

  /// Finds the archives that have what another lacks, by their digests.
  ///
  /// - Parameters:
  ///   - absences: the restored archive's list of things in earlier ones.
  ///   - path: where the restored archive is.
  ///   - targets: the folders besides that one's own.
  /// - Returns: the archives, the newest first.
  static func all(_ absences: [Absence], beside path: String, _ targets: [Target]) -> [EarlierArchive] {
    let groups = Dictionary(grouping: absences.filter { !$0.isAccepted }, by: \.last)
    guard !groups.isEmpty else { return [] }
    let own = Target(holding: path)
    let folders = [own] + targets.filter { $0.place != own.place }
    let entries = folders.flatMap { (try? $0.entries()) ?? [] }
    return groups.sorted { $0.key.sequence > $1.key.sequence }.map { link, absences in
      let copies = entries.filter { $0.archive?.statedDigest.hex == link.digest }
      return EarlierArchive(
        link: link, absences: absences, paths: copies.map(\.path), folders: folders.map(\.path))
    }
  }

  /// The things, as `--item` takes them.
  var items: [String] { absences.filter { $0.holding.kind != .more }.map(\.holding.item) }

  /// The number of things that the restored archive only counts, for people; nil if there are none.
  var uncounted: String? { absences.first { $0.holding.kind == .more }?.holding.name.text }

  /// Whether a file is among the things.
  var hasFiles: Bool { absences.contains { $0.holding.kind == .file } }

  /// The archive, for people.
  var name: String { "number \(link.sequence) (\(link.digest.prefix(8)))" }

  /// The things, for people.
  var things: String {
    let names = absences.prefix(Self.shownThings).map(\.title)
    let more = absences.count - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// The folders that were searched, for people.
  var searched: String {
    let more = folders.count - Self.shownFolders
    return folders.prefix(Self.shownFolders).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  fileprivate var document: Members {
    [
      "sequence": link.sequence, "archive": link.digest, "paths": paths,
      "things": absences.map(\.holding).map {
        ["kind": $0.kind.rawValue, "name": $0.name.text, "item": $0.kind == .more ? nil : $0.item] as Members
      },
    ]
  }

  /// Whether the archive keeps a part of its history in another file, which is in none of the folders.
  func lacksBase(_ stored: StoredArchive, at path: String) -> Bool {
    guard Holding.sections(ofItems: items).contains(where: { $0.scope == .history }),
      let base = stored.facts.base
    else { return false }
    let others = folders.map { Target(path: $0) }
    return !BaseFinder(beside: path, targets: others).isAtHand(base)
  }
}
