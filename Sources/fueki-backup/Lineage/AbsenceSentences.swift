internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension [AbsentNumbers] {
  /// The numbers that targets lack, a sentence for each target, vault and reason.
  var sentences: [String] {
    Dictionary(grouping: self) { Key(target: $0.target, vault: $0.vault, reason: $0.reason.rawValue) }
      .sorted { ($0.key.target, $0.key.vault, $0.key.reason) < ($1.key.target, $1.key.vault, $1.key.reason) }
      .compactMap { key, absent in
        absent.first.map { Self.sentence(key, absent.map(\.numbers), $0.reason) }
      }
  }

  private struct Key: Hashable {
    let target: String
    let vault: VaultID
    let reason: String
  }

  private static func sentence(
    _ key: Key, _ numbers: [ClosedRange<UInt64>], _ reason: AbsentNumbers.Reason
  ) -> String {
    let list = numbers.map(\.sentence).joined(separator: ", ")
    let start = "\(key.target): of vault \(key.vault.hex) these numbers are missing: \(list); "
    return switch reason {
    case .neverWritten:
      start
        + "they were never written here, because the target was missing, full or not writable; "
        + "\"fueki-backup copy\" brings the newest archive, and with --all all those that another target has"
    case .removed: start + "they were here: prune or a person removed them"
    case .unknown: start + "prune or a person removed them, or they were never written here"
    }
  }
}

/// Numbers that a target lacks, in JSON.
struct AbsentNumbersDocument: Encodable {
  let target: String
  let vault: String
  let first: UInt64
  let last: UInt64
  let reason: String

  init(_ absent: AbsentNumbers) {
    (target, vault) = (absent.target, absent.vault.hex)
    (first, last) = (absent.numbers.lowerBound, absent.numbers.upperBound)
    reason = absent.reason.rawValue
  }
}
