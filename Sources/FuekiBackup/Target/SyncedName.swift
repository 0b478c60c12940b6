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
