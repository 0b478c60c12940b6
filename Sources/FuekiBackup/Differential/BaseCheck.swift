internal import FuekiArchive
internal import FuekiCrypto

/// Whether a base is whole in a target, as somebody who read it found within the last week, or as reading it finds now.
struct BaseCheck {
  let vaultID: VaultID
  /// In seconds since 1970.
  let now: Int64

  private static let secondsBelieved: Int64 = 7 * 86_400

  /// Whether one of a base's files is whole; what is found so is noted.
  ///
  /// - Parameters:
  ///   - digest: the base's.
  ///   - files: those of the target that have it, with the seals that it was made with.
  ///   - target: where they lie.
  ///   - state: what this machine remembers.
  ///   - progress: is told the file that is read; what it throws ends the work.
  /// - Returns: false where none is, or there are none.
  /// - Throws: why a file cannot be read, and what `progress` throws.
  func isWhole(
    _ digest: Digest, _ files: [VouchedFile], in target: Target, _ state: LockedState,
    progress: (String) throws -> Void
  ) throws -> Bool {
    guard !files.isEmpty else { return false }
    var note = VaultState.Base(digest: digest.hex)
    let known = try state.directory.vault(vaultID).base
    if let known, known.digest == note.digest { note = known }
    let last = note.verified[target.place]
    if let last, (0..<Self.secondsBelieved).contains(now - last) { return true }
    guard try files.contains(where: { try $0.entry.verifies(progress) }) else { return false }
    note.verified[target.place] = now
    // Of a base that archives are no more made from, nothing is remembered.
    if known == nil || known?.digest == note.digest { try state.keep(note, of: vaultID) }
    return true
  }
}
