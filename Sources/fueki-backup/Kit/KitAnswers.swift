internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// The finding on one fact of the paper.
struct KitFinding {
  enum Verdict: String {
    case right
    case wrong
    /// Nothing here to compare it with.
    case unknown
    case notTried = "not-tried"
  }

  let what: String
  let verdict: Verdict
  /// The explanation, unless it is simply right.
  var detail: String?

  /// Its place on the paper.
  var line: String {
    switch what {
    case "newest archive": "the lines \"newest\" and \"its id\""
    case "secret": "the passphrase, or whatever opens it"
    default: "the line \"\(what)\""
    }
  }
}

/// The paper's answers against what there is.
struct KitComparison {
  private let subject: KitSubject

  init(_ subject: KitSubject) { self.subject = subject }

  func vault(_ answer: String) -> KitFinding {
    number(
      "vault", answer, subject.facts.vaultID.hex, "these archives belong to a different vault than the paper"
    )
  }

  func signer(_ answer: String) -> KitFinding {
    let isNone = ["none", "not signed"].contains(answer.lowercased())
    guard let signer = subject.facts.signer else {
      return isNone
        ? KitFinding(what: "signer", verdict: .right)
        : KitFinding(
          what: "signer", verdict: .wrong,
          detail: "the newest archive is not signed, but the paper names a signer")
    }
    guard !isNone else {
      return KitFinding(
        what: "signer", verdict: .wrong,
        detail: "the archives are signed now, but the paper names no signer")
    }
    return number("signer", answer, signer.hex, "a different key signs than the paper says")
  }

  private func number(_ what: String, _ answer: String, _ expected: String, _ meaning: String) -> KitFinding {
    let typed = CheckDigits.plain(answer)
    guard typed.count < CheckDigits.count || !expected.hasSuffix(typed) else {
      return KitFinding(what: what, verdict: .right)
    }
    let digits = CheckDigits.grouped(expected.suffix(CheckDigits.count))
    return KitFinding(
      what: what, verdict: .wrong, detail: "\(meaning), or it was mistyped: here it ends with \(digits)")
  }

  /// Whether the paper's newest archive can be among these.
  func archive(number: String) -> KitFinding {
    let what = "newest archive"
    guard let sequence = UInt64(CheckDigits.plain(number)) else {
      return KitFinding(what: what, verdict: .wrong, detail: "\(number) is not an archive's number")
    }
    let newest = subject.facts.sequence
    guard sequence <= newest else {
      return KitFinding(
        what: what, verdict: .wrong,
        detail:
          "the paper names archive \(sequence), but the newest here is \(newest): newer archives are missing")
    }
    return KitFinding(what: what, verdict: .right)
  }

  /// The archive that was the newest when the page was printed, by its number and its id's last digits.
  func archive(number: String, digits: String) -> KitFinding {
    let what = "newest archive"
    let counted = archive(number: number)
    guard counted.verdict == .right, let sequence = UInt64(CheckDigits.plain(number)) else { return counted }
    let newest = subject.facts.sequence
    let rivals = subject.entries.compactMap(\.archive).filter { $0.facts.sequence == sequence }
    guard !rivals.isEmpty else {
      return KitFinding(
        what: what, verdict: .unknown,
        detail: "archive \(sequence) is not here any more. The newest is \(newest)")
    }
    let typed = CheckDigits.plain(digits)
    guard typed.count >= CheckDigits.count, rivals.contains(where: { $0.statedDigest.hex.hasSuffix(typed) })
    else {
      return KitFinding(
        what: what, verdict: .wrong,
        detail: "archive \(sequence) here is not the one on the paper, or its id was mistyped")
    }
    let behind = newest - sequence
    return KitFinding(
      what: what, verdict: .right, detail: behind == 0 ? nil : "\(behind) newer since the page was printed")
  }
}
