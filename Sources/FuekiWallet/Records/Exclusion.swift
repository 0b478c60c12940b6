extension Exclusion {
  /// The beginning of the reason of a file that is in the archive though no kind reads it.
  public static let keptUnread = "kept, not read: "

  /// Whether it is a file that is in the archive though no kind reads it.
  public var isKeptUnread: Bool { reason.utf8.starts(with: Self.keptUnread.utf8) }

  /// What happened to it, in a few words: "left out", "kept, not read", "not taken", or `missing` if it is missing.
  public func fate(isComplete: Bool, missing: String) -> String {
    if byRequest { return "left out" }
    return isKeptUnread ? "kept, not read" : isComplete ? "not taken" : missing
  }

  /// The reason without the fate.
  public var bareReason: String {
    isKeptUnread ? String(decoding: reason.utf8.dropFirst(Self.keptUnread.utf8.count), as: UTF8.self) : reason
  }
}
