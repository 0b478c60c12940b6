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
      let failure = failure ?? error.failure
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

  fileprivate var document: Members {
    switch self {
    case .chunk(let stream, let chunk), .leaf(let stream, let chunk):
      let offset = chunk * UInt64(Limits.chunkPlaintextBytes)
      return ["what": sentence, "stream": stream.name, "chunk": chunk, "offset": offset]
    default: return ["what": sentence]
    }
  }

  /// Whether the archive still opens in spite of it.
  var isOfACopy: Bool {
    switch self {
    case .firstHeader, .headerCopy, .firstTrailer, .trailerCopy: true
    default: false
    }
  }
}

extension VerificationResult {
  /// An archive in `verify --json`.
  func document(_ vaults: VerifiedVaults?) -> Members {
    let expected = vaults?.expected(of: self)
    return [
      "path": StandardInputArchive.shown(path),
      "id": digest?.hex,
      "depth": depth.rawValue,
      "verdict": verdict.rawValue,
      "signer": facts?.signer?.hex,
      "damage": damage.map(\.document),
      "scopes": openedScopes.map(\.name),
      "authenticity": authenticity?.rawValue,
      "seals": facts.map { SealCover($0).rawValue },
      "whose": ownership?.rawValue,
      "repairable": mendability?.document,
      "base": facts?.base.map { $0.document(isAtHand: missingBase == nil) },
      "vault": vaults?.vault(of: self)?.hex,
      "label": expected?.label?.text,
      "owner": expected?.owner,
    ]
  }
}

extension Mendability {
  fileprivate var document: Members {
    switch self {
    case .possible(let needed, let available):
      ["possible": true, "blocksNeeded": needed, "blocksAvailable": available]
    case .impossible(let needed, let available):
      ["possible": false, "blocksNeeded": needed, "blocksAvailable": available]
    case .unknown: [:]
    }
  }
}
