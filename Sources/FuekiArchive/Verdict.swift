/// The verdicts on an archive (fueki-archive(5), VERDICTS), with their names in JSON.
public enum Verdict: String, CaseIterable, Sendable {
  /// Everything that was checked is valid.
  case intact = "ok"
  /// Neither header has the magic.
  case notAnArchive = "not-an-archive"
  /// The file ends before the archive does.
  case incomplete
  /// A digest does not match.
  case damaged
  /// Made by a newer version.
  case tooNew = "too-new"
  /// Not signed by a trusted signer.
  case untrusted = "not-signed-by-a-trusted-signer"
  /// Older than the newest archive known of its vault.
  case older = "older-than-known"
  /// The vault's lineage forks here.
  case forked
  /// No secret of the caller opens a slot.
  case wrongSecret = "wrong-secret"
  /// A number exceeds the format's limits.
  case overLimit = "over-limit"
  /// The digests match, but another rule is broken.
  case forged = "forged-or-inconsistent"
  /// The archive is intact, but its base is missing.
  case baseMissing = "base-missing"
  /// The file could not be read, which reveals nothing about the archive.
  case unreadable
}

extension ArchiveError {
  /// The verdict for the error.
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
