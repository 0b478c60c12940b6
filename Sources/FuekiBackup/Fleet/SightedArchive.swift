package import FuekiArchive
package import FuekiCrypto
package import FuekiSystem

/// The public facts of an archive in a target, as a watcher without secrets sees them.
package struct SightedArchive: Equatable, Sendable {
  package var vault: VaultID
  package var sequence: UInt64
  package var digest: Digest
  package var previous: Digest
  /// Seconds since 1970, by the header.
  package var created: UInt64
  /// The key whose signature holds; nil if unsigned or forged.
  package var signer: Ed25519.PublicKey?
  /// The state of the file, known without reading all of it.
  package var state: TargetEntry.State
  /// Whether it has a base, so that its size depends on that of another archive.
  package var isDifferential: Bool
  /// The padded bytes of profile, history and secrets.
  package var streamBytes: [UInt64]
  /// The number of slots for age recipients.
  package var recipientSlots: Int
  /// The target's place.
  package var target: ExactText
  /// The label in the file's name, for display.
  package var label: ExactText?

  package init(
    vault: VaultID, sequence: UInt64, digest: Digest, previous: Digest = .zero, created: UInt64,
    signer: Ed25519.PublicKey? = nil, state: TargetEntry.State = .complete, isDifferential: Bool = false,
    streamBytes: [UInt64] = [], recipientSlots: Int = 0, target: ExactText, label: ExactText? = nil
  ) {
    self.vault = vault
    self.sequence = sequence
    self.digest = digest
    self.previous = previous
    self.created = created
    self.signer = signer
    self.state = state
    self.isDifferential = isDifferential
    self.streamBytes = streamBytes
    self.recipientSlots = recipientSlots
    self.target = target
    self.label = label
  }

  /// Reads an entry's facts; nil if it has no readable header.
  ///
  /// A file that is no intact archive counts by the vault and the number that its header claims.
  package init?(_ entry: TargetEntry, in target: Target) {
    guard let archive = entry.archive else {
      guard let claim = entry.claim, let vault = claim.vaultID else { return nil }
      self.init(
        vault: vault, sequence: claim.sequence, digest: .zero, created: 0, state: entry.state,
        target: target.place, label: ArchiveName.label(inName: entry.name))
      return
    }
    self.init(archive, entry.state, in: target, named: entry.name)
  }

  /// Reads an archive's facts.
  package init(
    _ archive: StoredArchive, _ state: TargetEntry.State, in target: Target, named name: String
  ) {
    let facts = archive.facts
    self.init(
      vault: facts.vaultID, sequence: facts.sequence, digest: archive.statedDigest, previous: facts.previous,
      created: facts.created, signer: facts.signer.flatMap { archive.isSigned(byOneOf: [$0]) ? $0 : nil },
      state: state, isDifferential: facts.base != nil, streamBytes: archive.streamBytes,
      recipientSlots: archive.slots.count { $0.type.isNamedByKey }, target: target.place,
      label: ArchiveName.label(inName: name))
  }
}

extension SightedArchive {
  /// Whether the structure is intact.
  package var isWhole: Bool { state == .complete || state == .conflictCopy }

  /// The problem of a file that is not whole, in the words of `list` and `verify`.
  var fault: ExpectedProblem {
    switch state {
    case .incomplete, .notDownloaded: .incomplete(sequence: sequence)
    case .unreadable: .unread(sequence: sequence)
    case .complete, .conflictCopy, .damaged, .removed: .damaged(sequence: sequence)
    }
  }
}

extension [SightedArchive] {
  /// The problem of the newest file that is not whole, if it is newer than the newest archive that counts.
  func fault(after newest: SightedArchive?) -> ExpectedProblem? {
    let partial = filter { !$0.isWhole }.max { $0.sequence < $1.sequence }
    return partial.flatMap { $0.sequence > newest?.sequence ?? 0 ? $0.fault : nil }
  }
}

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
