package import FuekiBackup

extension WalletFinding {
  /// The finding on the backup of the wallet, in one line.
  package var line: String {
    let about = detail.isEmpty ? "" : "; \(detail)"
    return "\(kind) \"\(name)\": \(result.sentence)\(about)"
  }
}

extension WalletFinding.Result {
  /// The result for the backup, in a few words.
  package var sentence: String {
    switch self {
    case .proved(let evidence): "whole and proved: \(evidence.sentence)"
    case .notProved(let gap) where gap == .workLimit || gap == .readerFailed: gap.sentence
    case .notProved(let gap): "whole, not proved (\(gap.sentence))"
    case .publicPart(nil): "public part only: it cannot spend"
    case .publicPart(let evidence?): "public part only: it cannot spend (\(evidence.sentence))"
    case .withoutSeed: "cannot spend: seed left out"
    case .faulty(let fault): "NOT SOUND: \(fault.sentence)"
    }
  }

  /// The result for the backup, in one short line.
  package var brief: String {
    switch self {
    case .proved: "whole and proved"
    case .publicPart: "public part only"
    case .notProved, .withoutSeed, .faulty: sentence
    }
  }
}

extension WalletFinding.Evidence {
  /// The evidence.
  package var sentence: String {
    switch self {
    case .address: "its keys lead to its address"
    case .publicKey: "its secret leads to its public key"
    case .groupKey: "its share leads to the group's key, and spends only with other shares"
    case .wholeKey: "it leads to the key with no other share: it is the whole key"
    case .opened: "it opens with its key, from beginning to end"
    case .wholeness: "its own checksums and counts are right"
    }
  }
}

extension WalletFinding.Gap {
  /// The requirement of a proof.
  package var sentence: String {
    switch self {
    case .needsPassword: "needs its password"
    case .wrongPassword: "the given password does not open it"
    case .needsSeed: "needs the wallet's seed"
    case .needsOtherParties: "needs the other parties' files"
    case .otherKey: "of a different key than the wallet has now"
    case .notRead: "kept as a file, not read"
    case .workLimit: "kept, not read: it asks for too much work"
    case .readerFailed: "kept, not read: the reader of this wallet failed"
    case .unknownScheme: "this program cannot compute its scheme"
    case .nothingToCompare: "there is nothing to compare it with"
    }
  }
}

extension WalletFinding.Fault {
  /// The mismatch.
  package var sentence: String {
    switch self {
    case .secretDiffers: "the secret does not match its public key"
    case .ciphertext: "encrypted bytes are in place of the share"
    case .foreignShare: "the share belongs to another key"
    case .staleShare: "the share is of another epoch than the others, and cannot sign with them"
    case .groupDiffers: "the public shares do not lead to the wallet's key"
    case .otherAddress: "the keys lead to an address that is not the wallet's"
    case .checksum: "a checksum is wrong"
    case .length: "it ends too early or too late"
    case .malformed: "it is not what its name or its beginning says"
    case .quorum: "too few keys can ever come together to sign"
    case .slashable: "it holds two messages that together get the validator slashed"
    case .missingShare: "a chain's key share is missing from it"
    case .otherNetwork: "it belongs to a different network than the data next to it"
    }
  }
}

/// The findings on the backup of each wallet, one line each.
enum FindingLines {
  private static let limit = 100

  /// Prints findings.
  ///
  /// A mismatch is a warning, which no option hides.
  static func print(_ findings: [WalletFinding], _ console: Console) {
    for finding in findings where finding.isFaulty { console.warning(finding.line) }
    guard !console.isQuiet else { return }
    print(findings.filter { !$0.isFaulty }, indentedBy: 0, console)
  }

  /// Prints a readable number of lines, each in the colour of its verdict.
  static func print(_ findings: [WalletFinding], indentedBy indent: Int, _ console: Console) {
    let blanks = String(repeating: " ", count: indent)
    let chosen = chosen(findings)
    for finding in chosen { console.line(blanks + finding.line, finding.result.tone) }
    if findings.count > chosen.count { console.line(blanks + more(findings.count - chosen.count)) }
  }

  /// Prints the findings on restored wallets.
  static func print(restored findings: [WalletFinding], _ console: Console) {
    for finding in findings where finding.isFaulty {
      console.warning("when it was backed up: \(finding.line)")
    }
    let others = lines(findings.filter { !$0.isFaulty })
    if !others.isEmpty { console.report("what the backup of each wallet was worth when it was made:") }
    for line in others { console.report("  \(line)") }
  }

  /// Returns a readable number of lines.
  ///
  /// The documents have all of them.
  static func lines(_ findings: [WalletFinding], limit: Int = limit) -> [String] {
    let chosen = chosen(findings, limit)
    let rest = findings.count - chosen.count
    return chosen.map(\.line) + (rest > 0 ? [more(rest)] : [])
  }

  private static func chosen(_ findings: [WalletFinding], _ limit: Int = limit) -> [WalletFinding] {
    findings.count > limit ? Array(findings.byUrgency.prefix(limit)) : findings
  }

  private static func more(_ count: Int) -> String {
    "and \(Readable.count(count, "more wallet")) (--json lists all)"
  }
}

extension WalletFinding.Result {
  fileprivate var tone: Tone {
    switch self {
    case .proved: .good
    case .notProved, .publicPart: .plain
    case .withoutSeed: .doubtful
    case .faulty: .bad
    }
  }
}

extension WalletFinding {
  /// The finding in JSON.
  var document: Members { remembered + ["detail": detail] }

  /// A finding from this machine's state, which has no detail, in JSON.
  var remembered: Members {
    ["kind": kind, "name": name, "verdict": result.verdict, "reason": result.reason]
  }
}
