internal import FuekiArchive
internal import FuekiBackup

/// A verification's result as lines.
enum VerifyLines {
  /// Prints a verdict, and what is wrong; `failure` is what is to be said of the error where an archive has its own.
  static func print(_ result: VerificationResult, _ console: Console, failure: Failure? = nil) {
    let name = result.path.split(separator: "/").last.map(String.init) ?? result.path
    let verdict = result.verdict.rawValue
    console.line(
      "\(verdict): \(name) (\(result.depth.rawValue))",
      .mark(result.verdict == .intact ? .good : .bad, verdict.count + 1))
    if result.authenticity == .unprovable, result.verdict == .intact {
      console.line(
        "  cannot prove who made it: it is unsigned, and more than one key holder could have made it")
    }
    if result.verdict == .intact, let facts = result.facts,
      let sentence = SealLines.sentence(SealCover(facts), wasOpened: !result.openedScopes.isEmpty)
    {
      console.line("  \(sentence)")
    }
    if let ownership = result.ownership, ownership != .mine {
      console.line("  whose: \(OwnershipLines.sentence(ownership))")
    }
    if let base = result.missingBase, result.verdict == .intact || result.verdict == .damaged {
      console.warning("\(name): \(BaseLines.warning(base))")
    }
    for line in details(result, failure) { console.line("  \(line)") }
    guard let mendability = result.mendability else { return }
    console.line("  \(mendability.sentence)")
    if case .possible = mendability {
      console.line("  hint: fueki-backup mend \(result.path)")
    }
  }

  /// What is wrong, what it means, and what to do next.
  static func details(_ result: VerificationResult, _ failure: Failure? = nil) -> [String] {
    var lines = result.damage.prefix(50).map { "damaged: \($0.sentence)" }
    if result.damage.count > 50 { lines.append("and \(result.damage.count - 50) more") }
    guard result.verdict != .intact else { return lines }
    if let error = result.error {
      let failure = failure ?? Failure(error)
      lines += [failure.message, failure.meaning, failure.hint.map { "hint: \($0)" }].compactMap { $0 }
    } else if result.verdict == .damaged {
      let copiesOnly = result.damage.allSatisfy(\.isOfACopy)
      lines.append(
        copiesOnly
          ? "only copies are damaged: the archive still opens; make a new one soon"
          : "try another copy of this archive, or the one before it; restore --salvage brings back what is whole"
      )
    } else {
      lines.append(
        result.verdict == .older
          ? "a newer archive of this vault is known, but it is not here"
          : "another archive has the same number in the vault's lineage: two machines made backups, or one was replaced"
      )
    }
    return lines
  }
}

extension ArchiveError.Damage {
  /// Whether the archive still opens in spite of it.
  var isOfACopy: Bool {
    switch self {
    case .firstHeader, .headerCopy, .firstTrailer, .trailerCopy: true
    default: false
    }
  }
}
