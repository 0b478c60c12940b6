internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

extension CreateCommand {
  /// The sections that a run was asked for; private keys stay in the keychain unless they are.
  static func sections(of request: CollectionRequest) -> Set<Section> {
    Set(
      Section.allCases.filter { section in
        let isPrivate = section == .privateKeys || section == .secretFiles
        return section != .manifest && request.selection.contains(section)
          && (!isPrivate || request.includesPrivateKeys)
      })
  }

  /// A digest of everything that would be in the archive, and of what was asked for.
  func contentMemory(
    _ bundle: BackupBundle, _ request: CollectionRequest, _ vault: VaultSettings
  ) throws -> String {
    let progress = output.progressLine
    defer { progress.clear() }
    try progress.show("comparing")
    let sections = Self.sections(of: request).sorted().map(\.name)
    let who = try recipients.publicLines(vault)
    return try bundle.fingerprint().digest(askedFor: sections + from + who + [label ?? vault.label ?? ""]).hex
  }

  /// The newest archive, if it has the same contents and lies whole in every target that can be looked at.
  ///
  /// One that cannot gets no archive today, whether a new one is made or not. Where something else claims to be the
  /// vault's newest, it is not for this to say what becomes of it.
  func unchanged(
    _ content: String, _ vaultID: [UInt8], _ vault: VaultState, _ targets: [Target], _ state: StateDirectory,
    _ trust: Trust, _ console: Console
  ) throws -> UnchangedArchive? {
    guard let known = vault.known, vault.content == content else { return nil }
    var unchanged = UnchangedArchive(link: known)
    for target in targets {
      do {
        let found = try target.entries().filter { $0.archive?.facts.vaultID == vaultID }
        let ownerships = try Ownerships(of: found.compactMap(\.archive), trust: trust)
        let newest = found.filter { entry in
          guard let archive = entry.archive else { return false }
          return ownerships[archive] != .stranger && archive.facts.sequence >= known.sequence
        }
        guard newest.allSatisfy({ $0.archive?.statedDigest.hex == known.digest }),
          newest.contains(where: { $0.archive?.structuralDamage.isEmpty ?? false })
        else { return nil }
        let check = DailyCheck(state: state, vault: vaultID, target: target)
        guard try check.isWhole(newest, { _ in }) else {
          console.warning(
            "archive \(known.digest.prefix(12)) in \(target.path) is damaged: a new one is made")
          return nil
        }
        unchanged.targets.append(target)
      } catch is Interrupted {
        throw Interrupted()
      } catch {
        unchanged.failures.append((target.path, error))
      }
    }
    return unchanged.targets.isEmpty ? nil : unchanged
  }

  func printUnchanged(_ unchanged: UnchangedArchive, _ bundle: BackupBundle, _ console: Console) {
    guard !output.json else { return Document.write(UnchangedDocument(unchanged, bundle)) }
    for source in bundle.reports where !source.complete { SourceLines.print(source, console) }
    printProblems(of: bundle, console)
    for failure in unchanged.failures {
      console.warning("\(failure.path) was not looked at: \(Failure(describing: failure.error).message)")
    }
    console.report(
      "nothing changed since archive \(unchanged.link.digest.prefix(12)), number \(unchanged.link.sequence) of "
        + "its vault; none was made")
  }
}

/// The newest archive, where nothing has changed since, and where it is.
struct UnchangedArchive {
  let link: VaultState.Link
  /// The targets that have it.
  var targets: [Target] = []
  /// The targets that could not be looked at, and why.
  var failures: [(path: String, error: any Error)] = []

  /// Notes that today's backup is there: one that was not needed is not one that is missing.
  func note(in state: StateDirectory, vault: [UInt8]) throws {
    let digest = Digest(hex: link.digest)
    for target in targets {
      try state.note(
        .create, target: target.path, vault: vault, archive: digest, sequence: link.sequence)
    }
  }
}

/// `create --on-change --json`, where nothing has changed.
struct UnchangedDocument: Encodable {
  let schema = "fueki.create/1"
  let unchanged = true
  let id: String
  let sequence: UInt64
  let sources: [SourceDocument]
  let shareChecks: [String]
  let failedTargets: [String]

  enum CodingKeys: String, CodingKey {
    case schema, unchanged, id, sequence, sources
    case shareChecks = "share_checks"
    case failedTargets = "failed_targets"
  }

  init(_ unchanged: UnchangedArchive, _ bundle: BackupBundle) {
    id = unchanged.link.digest
    sequence = unchanged.link.sequence
    sources = bundle.reports.map(SourceDocument.init)
    shareChecks = bundle.shareReport?.manifestLines ?? []
    failedTargets = unchanged.failures.map(\.path)
  }
}
