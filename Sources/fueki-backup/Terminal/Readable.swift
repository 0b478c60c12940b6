internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// Numbers as people read them.
enum Readable {
  /// A byte count with a binary unit.
  static func bytes(_ count: UInt64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(count)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(count) B" : "\(tenths(value)) \(units[unit])"
  }

  /// A span of seconds in its largest unit.
  static func age(_ seconds: Int64) -> String {
    switch seconds {
    // Noted after the present was read.
    case ..<0: "0 s"
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// How long ago it was; "in the future" for more than a minute after the present.
  static func ago(_ seconds: Int64) -> String { seconds < -60 ? "in the future" : "\(age(seconds)) ago" }

  /// Returns a number with its noun: "1 wallet", "2 wallets".
  static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// A number of records in the words of their section's name: "1 private key", "2 private keys".
  static func records(_ count: some BinaryInteger, of section: String) -> String {
    let noun = section.replacing("-", with: " ")
    return "\(count) \(count == 1 && noun.hasSuffix("s") ? String(noun.dropLast()) : noun)"
  }

  /// Seconds with one decimal.
  static func seconds(_ value: Double) -> String { "\(tenths(value)) s" }

  private static func tenths(_ value: Double) -> String {
    let rounded = Int((value * 10).rounded())
    return "\(rounded / 10).\(rounded % 10)"
  }
}

/// Times as people and scripts read them.
enum Times {
  /// The last second of the year 9999: later ones are shown as this one, for a year has four digits.
  private static let last: UInt64 = 253_402_300_799

  /// Seconds since 1970 as UTC with `Z`.
  static func text(_ seconds: UInt64) -> String {
    let microseconds = Int64(clamping: min(seconds, last)) * 1_000_000
    let text = Timestamp(microseconds: microseconds).text
    guard let dot = text.firstIndex(of: ".") else { return text }
    return text[..<dot] + "Z"
  }

  /// Seconds since 1970, the earliest of which is shown for times before it.
  static func text(_ seconds: Int64) -> String { text(UInt64(max(0, seconds))) }
}

/// Sections by name; unknown ones by number.
enum SectionName {
  static func of(_ id: UInt16) -> String { Section(rawValue: id)?.name ?? "section-\(id)" }

  /// Returns the contents that a restore leaves in the archive: closed scopes, and unknown sections.
  static func notRestored(_ scopes: [ArchiveScope], _ sections: [UInt16]) -> [String] {
    scopes.map(\.name) + sections.map(of)
  }
}
