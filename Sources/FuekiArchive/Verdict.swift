/// The answers that reading an archive can give (fueki-archive(5), VERDICTS), by the names that scripts see.
public enum Verdict: String, CaseIterable, Sendable {
  /// Everything that was looked at holds.
  case intact = "ok"
  /// Neither header's magic is there.
  case notAnArchive = "not-an-archive"
  /// The file ends before the archive does.
  case incomplete
  /// A digest does not hold.
  case damaged
  /// Made by a newer version.
  case tooNew = "too-new"
  /// Not signed by a trusted signer.
  case untrusted = "not-signed-by-a-trusted-signer"
  /// Older than the newest archive known of its vault.
  case older = "older-than-known"
  /// The vault's history divides here.
  case forked
  /// No slot opens with what the caller has.
  case wrongSecret = "wrong-secret"
  /// A number is beyond the format's limits.
  case overLimit = "over-limit"
  /// The digests hold and another rule does not.
  case forged = "forged-or-inconsistent"
  /// The archive is whole, and its base is not at hand.
  case baseMissing = "base-missing"
  /// The file could not be read, which says nothing about the archive.
  case unreadable
}

extension ArchiveError {
  /// The verdict that the error stands for.
  public var verdict: Verdict {
    switch self {
    case .notAnArchive: .notAnArchive
    case .incomplete: .incomplete
    case .damaged: .damaged
    case .tooNew: .tooNew
    case .untrusted: .untrusted
    case .wrongSecret, .tooFewShares, .pluginFailed: .wrongSecret
    case .overLimit: .overLimit
    case .forged: .forged
    case .baseMissing: .baseMissing
    case .inBase(_, let error): error.verdict
    case .unreadable, .outOfMemory: .unreadable
    }
  }
}
