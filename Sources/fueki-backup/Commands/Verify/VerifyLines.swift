internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A verification's result as lines.
enum VerifyLines {
  /// Prints a verdict, and the faults.
  ///
  /// - Parameters:
  ///   - result: the result.
  ///   - console: receives the lines.
  ///   - failure: replaces the error's own message; nil for that message.
  ///   - vault: the archive's vault in the list of expected vaults; nil without a list, or if the list lacks it.
  static func print(
    _ result: VerificationResult, _ console: Console, failure: Failure? = nil, vault: ExpectedVault? = nil
  ) {
    let path = StandardInputArchive.shown(result.path)
    let name =
      path == StandardInputArchive.name
      ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
    let verdict = result.verdict.rawValue
    // A result that is well is no warning, which is all that -q leaves.
    func say(_ text: String, _ tone: Tone = .plain) {
      if result.verdict == .intact { console.report(text, tone) } else { console.line(text, tone) }
    }
    say(
      "\(verdict): \(name) (\(result.depth.rawValue))",
      .mark(result.verdict == .intact ? .good : .bad, verdict.count + 1))
    if let vault, result.verdict != .intact { say("  \(vault.sentence)") }
    if result.authenticity == .unprovable, result.verdict == .intact {
      say("  cannot prove who made it: it is unsigned, and more than one key holder could have made it")
    }
    if result.verdict == .intact, let facts = result.facts,
      let sentence = SealLines.sentence(SealCover(facts), wasOpened: !result.openedScopes.isEmpty)
    {
      say("  \(sentence)")
    }
    if let ownership = result.ownership, ownership != .mine {
      say("  whose: \(OwnershipLines.sentence(ownership))")
    }
    if let base = result.missingBase, result.verdict == .damaged {
      console.warning("\(name): \(BaseLines.warning(base))")
    }
    for line in details(result, failure) { say("  \(line)") }
    guard let mendability = result.mendability else { return }
    say("  \(mendability.sentence)")
    if case .possible = mendability, path != StandardInputArchive.name {
      console.line("  hint: fueki-backup repair \(ShellWord.quoted(result.path))")
    }
  }

  /// Returns a sentence about an archive that was removed before it could be verified.
  static func removed(_ path: String) -> String {
    "\(PathParts(path).name) was removed meanwhile and is not verified. A later archive of its vault is there"
  }

  /// Returns the faults, their meaning, and the next step.
  static func details(_ result: VerificationResult, _ failure: Failure? = nil) -> [String] {
    var lines = result.damage.prefix(50).map { "damaged: \($0.sentence)" }
    if result.damage.count > 50 { lines.append("and \(result.damage.count - 50) more") }
    if let whole = undamaged(result) { lines.append("undamaged: \(whole)") }
    guard result.verdict != .intact else { return lines }
    guard !result.holdsOnlyZeros else {
      return lines + [
        "the file holds only zeros", "a disk or a sync left it so: nothing of the archive is in it",
        "hint: use another copy of it. If there is none, make a new backup: fueki-backup create",
      ]
    }
    if let error = result.error {
      let failure = failure ?? Failure(error)
      lines += [failure.message, failure.meaning, failure.hint.map { "hint: \($0)" }].compactMap { $0 }
    } else if result.verdict == .damaged {
      let copiesOnly = result.damage.allSatisfy(\.isOfACopy)
      lines.append(
        copiesOnly
          ? "only copies are damaged: the archive still opens. Make a new one soon"
          : "try another copy of this archive, or the one before it. \"fueki-backup restore --salvage\" brings back what is whole"
      )
    } else {
      lines.append(
        result.verdict == .older
          ? "a newer archive of this vault is known, but it is not here"
          : "another archive has the same number in the vault's history: two machines made backups, or one was replaced"
      )
    }
    return lines
  }
}

extension VerifyLines {
  /// The scopes of which nothing is damaged; nil if damage of another kind than of chunks says nothing of scopes.
  private static func undamaged(_ result: VerificationResult) -> String? {
    let streams = result.damage.compactMap(\.scope)
    let whole = ArchiveScope.allCases.filter { !streams.contains($0) }.map(\.name)
    guard !streams.isEmpty, streams.count == result.damage.count, !whole.isEmpty else { return nil }
    return whole.joined(separator: " and ")
  }
}

extension ExpectedVault {
  /// The vault and its owner, as the list has them.
  fileprivate var sentence: String {
    let name = label.map { "\($0) (\(id.hex.prefix(8)))" } ?? id.hex
    return "vault: \(name)" + (owner.map { ", owner: \($0)" } ?? "")
  }
}

extension ArchiveError.Damage {
  /// The scope whose records are damaged; nil for damage of anything else.
  fileprivate var scope: ArchiveScope? {
    if case .chunk(let stream, _) = self { stream } else { nil }
  }

  /// Whether the archive still opens in spite of it.
  var isOfACopy: Bool {
    switch self {
    case .firstHeader, .headerCopy, .firstTrailer, .trailerCopy: true
    default: false
    }
  }
}

/// `verify --json`.
struct VerifyDocument: Encodable {
  struct Damage: Encodable {
    let what: String
    let stream: String?
    let chunk: UInt64?
    let offset: UInt64?
    let section: String?
  }

  struct Archive: Encodable {
    let path: String
    let id: String?
    let depth: String
    let verdict: String
    let signer: String?
    let damage: [Damage]
    let scopes: [String]
    let authenticity: String?
    let seals: String?
    let whose: String?
    let repairable: Repairable?
    let base: BaseDocument?
    let vault: String?
    let label: String?
    let owner: String?
  }

  struct Repairable: Encodable {
    let possible: Bool?
    let blocksNeeded: Int?
    let blocksAvailable: Int?
  }

  let schema = "fueki.verify/1"
  let archives: [Archive]
  let warnings: [String]
  let shard: String?
  let expected: [ExpectedDocument]?
  let expectedSignature: String?
  let ok: Bool

  init(
    _ results: [VerificationResult], warnings: [String], isIncomplete: Bool, shard: String?,
    isProblemsOnly: Bool = false, vaults: VerifiedVaults? = nil,
    verdicts: [ExpectedVaults.Verdict]? = nil, signature: ListSignature? = nil, now: Int64
  ) {
    expectedSignature = signature?.rawValue
    (self.warnings, self.shard) = (warnings, shard)
    expected = verdicts.map { verdicts in
      verdicts.filter { !isProblemsOnly || !$0.problems.isEmpty }.map { ExpectedDocument($0, now: now) }
    }
    archives = results.filter { !isProblemsOnly || $0.verdict != .intact }.map { result in
      let expected = vaults?.expected(of: result)
      return Archive(
        path: StandardInputArchive.shown(result.path), id: result.digest?.hex, depth: result.depth.rawValue,
        verdict: result.verdict.rawValue,
        signer: result.facts?.signer?.hex, damage: result.damage.map(Damage.init),
        scopes: result.openedScopes.map(\.name), authenticity: result.authenticity?.rawValue,
        seals: result.facts.map { SealCover($0).rawValue },
        whose: result.ownership?.rawValue, repairable: result.mendability.map(Repairable.init),
        base: result.facts?.base.map { BaseDocument($0, isAtHand: result.missingBase == nil) },
        vault: vaults?.vault(of: result)?.hex, label: expected?.label?.text, owner: expected?.owner)
    }
    ok = !isIncomplete && results.allSatisfy { $0.verdict == .intact }
  }
}

extension VerifyDocument.Repairable {
  fileprivate init(_ mendability: Mendability) {
    switch mendability {
    case .possible(let needed, let available):
      (possible, blocksNeeded, blocksAvailable) = (true, needed, available)
    case .impossible(let needed, let available):
      (possible, blocksNeeded, blocksAvailable) = (false, needed, available)
    case .unknown: (possible, blocksNeeded, blocksAvailable) = (nil, nil, nil)
    }
  }
}

extension VerifyDocument.Damage {
  fileprivate init(_ damage: ArchiveError.Damage) {
    what = damage.sentence
    section = nil
    switch damage {
    case .chunk(let stream, let chunk), .leaf(let stream, let chunk):
      self.stream = stream.name
      self.chunk = chunk
      offset = chunk * UInt64(Limits.chunkPlaintextBytes)
    default:
      stream = nil
      chunk = nil
      offset = nil
    }
  }
}
