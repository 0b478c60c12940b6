internal import FuekiArchive
internal import FuekiSystem

/// A file in a target that cannot be read, so that its vault is unknown.
package struct UnreadFile: Sendable {
  /// The target's place.
  let target: ExactText
  /// The label in the file's name.
  let label: ExactText?
  /// The number in the file's name.
  let sequence: UInt64?
  let error: SystemError

  /// Nil if the file was read, or if its header states the vault.
  package init?(_ entry: TargetEntry, in target: Target) {
    guard let error = entry.readError, entry.claim?.vaultID == nil else { return nil }
    self.target = target.place
    self.error = error
    label = ArchiveName.label(inName: entry.name)
    sequence = ArchiveClaim.sequence(inName: entry.name)
  }

  /// Whether its name has the vault's label.
  func isNamed(after vault: ExpectedVault) -> Bool { label != nil && label == vault.label }

  /// Whether the file may be the newest archive of a vault in its target.
  ///
  /// Names are hints: they decide only whether to report the file.
  func mayBeNewest(of vault: ExpectedVault, after newest: SightedArchive?) -> Bool {
    guard vault.target.map({ $0 == target }) ?? true else { return false }
    let known = vault.label ?? newest?.label
    guard let newest else { return label == nil || known == nil || label == known }
    guard let sequence, let label else { return false }
    return sequence > newest.sequence && (label == known || label == newest.label)
  }
}
