internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The file that the configuration names for the archive's passphrase, and its successor while that is changed.
///
/// The successor is durable before an archive needs it, and replaces the file once the archive has its name: at every
/// moment a file on the disk opens the newest archive.
struct StoredPassphrase {
  /// Without links, so that the file is replaced and not a link to it.
  let path: String

  init(at path: String) { self.path = CurrentProcess.absolutePath(of: path) }

  /// The file with the next passphrase.
  var successor: String { "\(path).new" }

  /// Whether the file is there.
  var exists: Bool { Self.exists(path) }

  /// Removes the leftovers of a change that was killed while it wrote the successor.
  ///
  /// No archive needs them yet. The successor itself stays: another vault that shares the file may need it.
  func removeAbandoned() {
    let parts = PathParts(successor)
    try? Directory.open(parts.folder).removeAbandoned(of: parts.name)
  }

  /// Whether the file's passphrase opens an archive; false if there is no file.
  ///
  /// - Throws: as reading the file, and ``ArchiveError``.
  func opens(_ archive: StoredArchive, keyFiles: [SharedSecret]) throws -> Bool {
    try Self.opening(archive, path, keyFiles) != nil
  }

  /// Whether the successor's passphrase opens an archive; false if there is no successor.
  ///
  /// - Throws: as ``opens(_:keyFiles:)``.
  func successorOpens(_ archive: StoredArchive, keyFiles: [SharedSecret]) throws -> Bool {
    try Self.opening(archive, successor, keyFiles) != nil
  }

  /// Finishes a change that was interrupted after its archive had its name.
  ///
  /// If the successor opens the archive and the file does not, it replaces the file.
  ///
  /// - Returns: the passphrase that is now in the file; nil if there was nothing to finish.
  func finishChange(of archive: StoredArchive, keyFiles: [SharedSecret]) throws -> SharedSecret? {
    guard Self.exists(successor), (try? opens(archive, keyFiles: keyFiles)) != true,
      let secret = try Self.opening(archive, successor, keyFiles)
    else { return nil }
    try commit()
    return secret
  }

  /// Writes the successor durably.
  func stage(_ secret: SharedSecret) throws {
    try secret.bytes.withBytes { try OutputFile.write($0, to: successor, existing: .replaced) }
    // A file's last line end is no part of a passphrase.
    guard try SecretSource.passphrase(inFile: successor).secret.bytes.isEqualInConstantTime(to: secret.bytes)
    else {
      discard()
      throw CommandError.secretUnreadable(
        source: successor, reason: "this passphrase cannot be kept in a file: its end looks like a line's")
    }
  }

  /// Replaces the file by its successor.
  func commit() throws {
    let (old, new) = (PathParts(successor), PathParts(path))
    let folder = try Directory.open(new.folder)
    try folder.rename(old.name, to: new.name, replacing: true)
    try folder.sync()
  }

  /// Removes the successor.
  func discard() {
    let parts = PathParts(successor)
    try? Directory.open(parts.folder).remove(parts.name)
  }

  /// The file's reading that opens an archive.
  private static func opening(
    _ archive: StoredArchive, _ path: String, _ keyFiles: [SharedSecret]
  ) throws -> SharedSecret? {
    guard exists(path) else { return nil }
    return try SecretSource.passphrase(inFile: path).reading { reading in
      try archive.opens(with: UnlockingSecrets(passphrases: [reading], keyFiles: keyFiles))
    }?.secret
  }

  private static func exists(_ path: String) -> Bool {
    let parts = PathParts(path)
    return (try? Directory.open(parts.folder).contains(parts.name)) ?? false
  }
}

/// A change of the vault's passphrase that its file follows.
struct PassphraseHandover {
  let file: StoredPassphrase
  let new: SharedSecret

  /// Runs the change behind the file's successor, which stays only if an archive needs it.
  func run<Outcome>(
    of vault: VaultID, _ state: LockedState, _ targets: [Target], _ change: () throws -> Outcome
  ) throws -> Outcome {
    let before = try state.directory.vault(vault)
    try file.stage(new)
    do {
      return try change()
    } catch {
      switch Self.isPublished(since: before, of: vault, state, targets) {
      case true: try? file.commit()
      case false: file.discard()
      // Both files stay, and the next backup uses whichever opens the newest archive.
      case nil: break
      }
      throw error
    }
  }

  /// Replaces the file.
  ///
  /// - Returns: its path; nil if that failed, which is reported.
  func finish(_ console: Console) -> String? {
    do {
      try file.commit()
      return file.path
    } catch {
      console.warning(
        "the new passphrase is in \(file.successor) and could not replace the old one in \(file.path): "
          + Failure(describing: error).message)
      console.note("The next \"fueki-backup create\" replaces it. Until then, keep both files.")
      return nil
    }
  }

  /// Whether a change that ended with an error has given an archive its name; nil if nothing can tell.
  private static func isPublished(
    since before: VaultState, of vault: VaultID, _ state: LockedState, _ targets: [Target]
  ) -> Bool? {
    guard let after = try? state.directory.vault(vault) else { return nil }
    guard after.known == before.known else { return true }
    guard let intent = after.intent, intent != before.intent else { return false }
    let found = targets.map { target in
      (try? target.entries())?.contains { $0.archive?.statedDigest.hex == intent.digest }
    }
    return found.contains(true) ? true : found.contains(nil) ? nil : false
  }
}
