internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// Guides the user through a restore: the archive, its secret, its destination, and the next steps.
///
/// Every answer has a default. Nothing is written before the last one.
struct GuidedRestore {
  let command: RestoreCommand
  let configuration: Configuration
  /// The folder or disk given by the user.
  let folder: String?

  private static let mostArchives = 12

  func run() throws {
    let now = SystemClock.now / 1_000_000
    let trust = try command.trust.trust(configuration)
    let vault = try chooseVault(trust, now)
    var place = try chooseArchive(of: vault, now)
    var chosen = command
    // The sandbox needs the place before the archive is read, and only the manifest shows whether a wallet goes there.
    chosen.data.datadir = try command.data.datadir ?? AbsolutePath.of(command.data.path(configuration))
    while true {
      let archive = vault.archives[place]
      chosen.archive = archive.entry.path
      if try command.consents.contains(.older) || acceptsOlder(archive, trust) {
        chosen.accepted.accept.append(Consent(kind: .older))
      }
      do {
        try chosen.restore(
          consent: { try consent($0, chosen) }, orOneOf: vault.archives.map(\.entry.path))
        return next(chosen, isWhole: true)
      } catch let status as ExitStatus where status == .partial || status == .resyncIncomplete {
        next(chosen, isWhole: status != .partial)
        throw status
      } catch let error as ArchiveError where Self.isOfFile(error.verdict) {
        place = try older(than: place, of: vault, because: error, now)
      }
    }
  }

  // MARK: which archive

  private func chooseVault(_ trust: Trust, _ now: Int64) throws -> FoundVault {
    var places = search(folder)
    for place in places { Self.tell(place) }
    let denied = places.compactMap(\.denied)
    if !denied.isEmpty { Asking.say(denied.map(\.sentence)) }
    // Files that are no whole archive say of no vault.
    for entry in places.flatMap(\.entries)
    where entry.archive == nil && !(entry.readError?.isNotPermitted ?? false) {
      Asking.say(["cannot be used (\(entry.state.rawValue)): \(entry.path)"])
    }
    var vaults = try FoundVault.all(places.flatMap(\.entries), trust: trust)
    if vaults.isEmpty {
      if let denied = denied.first { throw FindingError.denied(denied) }
      let isEmpty = places.allSatisfy(\.entries.isEmpty)
      guard isEmpty, folder == nil else {
        throw FindingError.noArchives(targets: places.map(\.target.path))
      }
      places = try Asking.line("the folder or disk that the archives are on", default: nil) { answer in
        guard !answer.isEmpty else { throw Failure(.usage, "no folder was typed") }
        let found = search(HomePath.expanded(answer))
        for place in found { _ = try place.found.get() }
        guard found.contains(where: { !$0.entries.isEmpty }) else {
          throw Failure(.usage, FindingError.nothing(in: [answer]))
        }
        return found
      }
      vaults = try FoundVault.all(places.flatMap(\.entries), trust: trust)
    }
    guard !vaults.isEmpty else { throw FindingError.noArchives(targets: places.map(\.target.path)) }
    guard vaults.count > 1 else { return vaults[0] }
    Asking.say(["Archives of \(vaults.count) vaults were found:"])
    Asking.say(vaults.enumerated().map { "  \($0.offset + 1)  \($0.element.line(now: now))" })
    let meant = configuration.meantVaultID.flatMap { id in vaults.firstIndex { $0.id == id } }
    return vaults[try Asking.choice(of: vaults.count, "which vault", default: meant ?? 0)]
  }

  /// Searches only the given folder, if there is one.
  private func search(_ named: String?) -> [SearchedPlace] {
    if let named { return SearchedPlace.all(named: [Target(path: named)], disks: []) }
    let targets = command.targets.targets(configuration)
    let disks = command.targets.target.isEmpty ? MountedDisks.folders : []
    return SearchedPlace.all(named: targets, disks: disks)
  }

  private static func tell(_ place: SearchedPlace) {
    switch place.found {
    case .failure(FindingError.denied): break
    case .failure(let error): Asking.say(["\(place.target.path): \(Failure(describing: error).message)"])
    case .success(let entries) where entries.isEmpty:
      Asking.say([FindingError.nothing(in: [place.target.path])])
    case .success: break
    }
  }

  private func chooseArchive(of vault: FoundVault, _ now: Int64) throws -> Int {
    let shown = vault.archives.prefix(Self.mostArchives)
    Asking.say([vault.line(now: now)])
    Asking.say(shown.enumerated().map { "  \($0.offset + 1)  \(FoundVault.line($0.element, now: now))" })
    if vault.archives.count > shown.count {
      Asking.say(["  and \(vault.archives.count - shown.count) older ones"])
    }
    guard let usual = vault.newestUsable else {
      return try Asking.choice(
        of: vault.archives.count, "which archive (none of them is both whole and yours)")
    }
    return try Asking.choice(of: vault.archives.count, "which archive", default: usual)
  }

  /// Offers an older archive if the chosen file cannot be restored.
  private func older(
    than place: Int, of vault: FoundVault, because error: ArchiveError, _ now: Int64
  ) throws -> Int {
    let rest = vault.archives.indices.dropFirst(place + 1).first { vault.archives[$0].isUsable }
    guard let rest else { throw error }
    Asking.say([
      "That archive cannot be used: \(Failure(describing: error).message).",
      "The next older one is \(FoundVault.line(vault.archives[rest], now: now))",
    ])
    guard try Asking.yes("restore that one", default: true) else { throw error }
    return rest
  }

  private static func isOfFile(_ verdict: Verdict) -> Bool {
    switch verdict {
    case .damaged, .incomplete, .notAnArchive, .forged, .unreadable: true
    default: false
    }
  }

  private func acceptsOlder(_ archive: FoundVault.Archive, _ trust: Trust) throws -> Bool {
    let facts = archive.stored.facts
    guard let known = try trust.known(of: facts.vaultID), known.sequence > facts.sequence else {
      return false
    }
    Asking.say([
      "This machine knows archive \(known.sequence), which is newer than \(facts.sequence).",
      "It lacks everything that was added since, and its key shares may be out of date.",
    ])
    guard try Asking.yes("restore number \(facts.sequence) anyway", default: true) else {
      throw Failure(.interrupted, "nothing was restored: you said no")
    }
    return true
  }

  // MARK: what comes back

  private func consent(_ open: any UnlockedArchive, _ chosen: RestoreCommand) throws {
    let counts = open.sections.filter { $0.id != Section.manifest.rawValue }.map { section in
      "\(SectionName.of(section.id)) (\(section.records))"
    }
    var lines = ["This comes back: \(counts.isEmpty ? "nothing" : counts.joined(separator: ", "))."]
    if open.scopes.count < ArchiveScope.allCases.count {
      let closed = ArchiveScope.allCases.filter { !open.scopes.contains($0) }.map(\.name)
      lines.append("This key does not open: \(closed.joined(separator: ", ")).")
    }
    let manifest = try open.decodedManifest()?.manifest
    let missing = manifest?.missing ?? []
    lines += missing.prefix(10).map { "Already missing when it was made: \($0)" }
    if missing.count > 10 {
      lines.append("Already missing when it was made: \(missing.count - 10) more parts")
    }
    let directory = chosen.data.datadir ?? ""
    let isThere = chosen.data.datadir.map { (try? Directory.open($0)) != nil } ?? true
    let hasStore = manifest?.isOfSourcesAlone != true
    let isMerge = try hasStore && MergeComparison.isThere(directory)
    lines.append(
      !hasStore
        ? "It has other programs' wallets only: their files go back to their own places. \(directory) gets the records about them."
        : isMerge
          ? "It is merged with the wallet in \(directory)." : "It goes to \(directory).")
    Asking.say(lines)
    guard try folder != nil && !isThere || Asking.yes("restore it", default: true) else {
      throw Failure(
        .interrupted, "nothing was restored: you said no",
        hint: hasStore ? "to restore into another directory, add --datadir DIR to the command" : nil)
    }
  }

  // MARK: what then

  private func next(_ chosen: RestoreCommand, isWhole: Bool) {
    guard !chosen.dryRun else { return }
    var lines = isWhole ? [] : ["Not everything came back: the list is above."]
    lines.append("Next steps:")
    lines.append("  compare the wallet's addresses with those that you know")
    lines.append("  stop the backups of the old machine, and wipe its wallet once this one works")
    lines.append(Offer.after(isConfigured: configuration.path != nil))
    lines.append("The same restore without questions:")
    Asking.say(lines)
    Asking.say(verbatim: "  " + commandLine(chosen))
  }

  /// Returns the equivalent command for a script, with secrets from files or commands.
  private func commandLine(_ chosen: RestoreCommand) -> String {
    var words = [Offer.name, "restore", chosen.archive ?? "latest"]
    if let directory = chosen.data.datadir { words += ["--datadir", directory] }
    if chosen.consents.contains(.older) { words += ["--accept", "older"] }
    words += Replay.kept(
      TypedWords.after("restore"), without: folder, [("--datadir", true), ("--accept=older", false)])
    return (words + Replay.words).map(ShellWord.quoted).joined(separator: " ")
  }
}
