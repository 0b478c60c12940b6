internal import FuekiArchive
internal import FuekiCrypto

/// Whether a base is intact in a target, according to a check of the last week or by reading it now.
struct BaseCheck {
  let vaultID: VaultID
  /// In seconds since 1970.
  let now: Int64

  private static let secondsBelieved: Int64 = 7 * 86_400

  /// Returns whether one of a base's files is intact, and records an intact one.
  ///
  /// - Parameters:
  ///   - digest: the base's digest.
  ///   - files: the target's files of the base, with its original seals.
  ///   - target: the target that holds the files.
  ///   - state: this machine's state.
  ///   - progress: receives the file being read. An error that it throws ends the work.
  /// - Returns: false if no file is intact, or there are none.
  /// - Throws: the reason that a file cannot be read, and errors from `progress`.
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
    // Remember nothing of a base that later archives no longer build on.
    if known == nil || known?.digest == note.digest { try state.keep(note, of: vaultID) }
    return true
  }
}
