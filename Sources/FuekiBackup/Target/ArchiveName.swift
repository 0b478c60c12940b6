internal import FuekiArchive
public import FuekiCrypto

/// The name of an archive's file.
///
/// It is for people: nothing is believed because of it.
enum ArchiveName {
  static let suffix = ".fueki"

  /// `<label>-<UTC time as 20261121T063000Z>-<sequence, 6 digits>-<short id>.fueki`.
  static func make(label: String, facts: HeaderFacts, digest: Digest) -> String {
    let digits = String(facts.sequence)
    let sequence = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let time = compactTime(facts.created)
    return "\(plain(label))-\(time)-\(sequence)-\(digest.shortID)\(suffix)"
  }

  /// A label's letters, digits, dots and underscores; anything else would be a surprise in some file system.
  static func plain(_ label: String) -> String {
    let kept = label.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._".unicodeScalars.contains(scalar))
      return isPlain ? Character(scalar) : "-"
    }
    let trimmed = String(kept).drop { $0 == "-" || $0 == "." }.prefix(64)
    return trimmed.isEmpty ? "wallet" : String(trimmed)
  }

  /// Seconds since 1970 as `20261121T063000Z`.
  static func compactTime(_ seconds: UInt64) -> String {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = CivilDate.of(daysSince1970: Int64(clamping: days))
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let hour = Int64(rest / 3600)
    let minute = Int64(rest / 60 % 60)
    return "\(year)\(two(month))\(two(day))T\(two(hour))\(two(minute))\(two(Int64(rest % 60)))Z"
  }
}

/// The civil calendar, by Howard Hinnant's algorithm ("chrono-compatible low-level date algorithms").
enum CivilDate {
  static func of(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = min(days, 4_000_000_000) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}

extension Digest {
  /// The first 12 hex digits, which people see.
  ///
  /// Nothing is trusted because of it.
  public var shortID: String { String(hex.prefix(12)) }
}
