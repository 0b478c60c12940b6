package import FuekiArchive
public import FuekiCrypto
package import FuekiSystem
internal import FuekiWallet

/// The name of an archive's file.
///
/// It is for people: nothing is believed because of it.
package enum ArchiveName {
  static let suffix = ".fueki"

  /// `<label>-<UTC time as 20261121T063000Z>-<sequence, 6 digits>-<short id>.fueki`.
  package static func make(label: String, facts: HeaderFacts, digest: Digest) -> String {
    "\(plain(label))\(ending(facts, digest))"
  }

  /// Whether a name ends as an archive's own name does, whatever label it begins with.
  static func isOwn(_ name: String, of facts: HeaderFacts, digest: Digest) -> Bool {
    let ending = ending(facts, digest)
    guard name.hasSuffix(ending) else { return false }
    let label = String(name.dropLast(ending.count))
    return label == plain(label)
  }

  /// The short id that a name ends with as an archive's own name does; nil if it has none.
  static func shortID(inName name: String) -> String? {
    guard name.hasSuffix(suffix), ArchiveClaim.sequence(inName: name) != nil else { return nil }
    let id = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false).last ?? ""
    let isID = id.utf8.count == 12 && id.allSatisfy { $0.isHexDigit && $0.isASCII && !$0.isUppercase }
    return isID ? String(id) : nil
  }

  /// Returns the label that a name begins with, before time, number and id.
  package static func label(inName name: String) -> ExactText? {
    guard let match = name.firstMatch(of: #/^(.+)-\d{8}T\d{6}Z-\d{6,}-[0-9a-f]+\.fueki/#) else { return nil }
    return ExactText(String(match.1))
  }

  private static func ending(_ facts: HeaderFacts, _ digest: Digest) -> String {
    let digits = String(facts.sequence)
    let sequence = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let time = compactTime(facts.created)
    return "-\(time)-\(sequence)-\(digest.shortID)\(suffix)"
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

  /// Seconds since 1970 as `20261121T063000Z`: a timestamp's text without its separators and fraction.
  static func compactTime(_ seconds: UInt64) -> String {
    let microseconds = Int64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
    let text = Timestamp(microseconds: microseconds.overflow ? .max : microseconds.partialValue).text
    return text.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}

extension Digest {
  /// The first 12 hex digits, which people see.
  ///
  /// Nothing is trusted because of it.
  public var shortID: String { String(hex.prefix(12)) }
}
