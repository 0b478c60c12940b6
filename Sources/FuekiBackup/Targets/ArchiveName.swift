internal import FuekiWallet
package import FuekiArchive
package import FuekiSystem
public import FuekiCrypto

extension ArchiveName {
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

/// The origin of a file in a synced folder, according to its name.
///
/// The name decides only facts that the file cannot show: that its contents are elsewhere, or on their way.
package enum SyncedName {
  /// Nothing.
  case plain
  /// A copy that a syncing service made because two machines wrote under one name.
  case conflictCopy
  /// A name with a number, as iCloud and browsers name second copies. People choose such names too.
  case numberedCopy
  /// A transfer that goes on, or was broken off.
  case partial
  /// A placeholder for a file whose contents are elsewhere.
  case placeholder

  /// Whether such a name is given to archives, whatever the file holds.
  package static func claimsArchive(_ name: String) -> Bool {
    let lower = name.lowercased()
    return lower.hasSuffix(ArchiveName.suffix) || lower.contains("\(ArchiveName.suffix).")
  }

  package init(_ name: String) {
    let lower = name.lowercased()
    let isHidden = lower.hasPrefix(".")
    if isHidden && lower.hasSuffix(".icloud") || Self.placeholders.contains(where: lower.hasSuffix) {
      self = .placeholder
    } else if Self.partials.contains(where: lower.hasSuffix) || Self.isTemporary(lower) {
      self = .partial
    } else if Self.conflicts.contains(where: lower.contains) {
      self = .conflictCopy
    } else {
      self = Self.isNumbered(lower) ? .numberedCopy : .plain
    }
  }

  /// Nextcloud's and ownCloud's virtual files.
  private static let placeholders = [".fueki.nextcloud", ".fueki.owncloud"]
  /// Browsers, rclone and FileZilla.
  private static let partials = [".part", ".partial", ".crdownload", ".filepart", ".download", ".opdownload"]
  /// Syncthing; Dropbox, Nextcloud and ownCloud; Seafile; pCloud; Resilio.
  private static let conflicts = [
    ".sync-conflict-", "conflicted copy", "(sfconflict ", "[conflicted]", ".conflict.fueki",
  ]

  /// Syncthing's, Nextcloud's and rsync's names while they write.
  private static func isTemporary(_ lower: String) -> Bool {
    if lower.hasSuffix(".tmp") {
      return [".syncthing.", "~syncthing~", "~", ".~"].contains(where: lower.hasPrefix)
    }
    guard lower.hasPrefix("."), let dot = lower.lastIndex(of: ".") else { return false }
    let last = lower[lower.index(after: dot)...]
    guard lower[..<dot].hasSuffix(ArchiveName.suffix) else { return false }
    return last.hasPrefix("~") || last.count == 6
  }

  /// `name 2.fueki`, `name(1).fueki`, `name - copy.fueki`.
  private static func isNumbered(_ lower: String) -> Bool {
    guard lower.hasSuffix(ArchiveName.suffix) else { return false }
    var stem = lower.dropLast(ArchiveName.suffix.count)
    if stem.hasSuffix(" copy") { return true }
    let isBracketed = stem.hasSuffix(")")
    if isBracketed { stem = stem.dropLast() }
    let digits = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard 1...3 ~= digits else { return false }
    return stem.dropLast(digits).hasSuffix(isBracketed ? "(" : " ")
  }
}
