internal import FuekiArchive

/// The way of a vault's next archive into its targets: it gets a place, is written, and is distributed.
struct Publication {
  let targets: [Target]
  let vaultID: VaultID
  let label: String
  let signing: ArchiveSigning
  let created: UInt64
  /// The trusted signers.
  let trust: Trust
  /// The archive's slots.
  let slots: [NewSlot]
  let options: PublicationOptions
  /// This machine's state, locked until the run ends.
  let state: LockedState
  /// The contents to compare with the vault's last archive, and to remember.
  var memory = ContentsMemory()
  /// Which files of the sources changed: the contents are gathered again after such a change.
  var changes = SourceChanges()
  /// The archive that is re-encrypted; nil for collected contents.
  ///
  /// The new one goes only to targets permitted for this one.
  var reencrypted: OpenArchive?

  /// Runs the steps in their order: ``findPlace(recognizing:_:)``, ``write(at:_:gathering:)``, ``distribute(_:_:)``.
  ///
  /// No file in a target has an archive's name until the last step. An archive is published only after every byte has
  /// been read back and the intent to publish it is durable. A target that fails does not stop the others: if the first
  /// is not writable, the next one takes its role. Folders have their archive before the first byte goes to a remote,
  /// however long that takes.
  ///
  /// - Parameters:
  ///   - recognizing: accepts archives in the targets that another machine made, before their owner is judged.
  ///   - progress: receives each step. An error that it throws ends the run and leaves no files.
  ///   - gather: gathers the contents, once the place is clear, and again for each target that fails.
  /// - Returns: the archive and where it is, the targets that failed, and the contents.
  /// - Throws: ``LineageError``, ``PublishError``, also if a requested differential archive cannot be made,
  ///   ``RecordsError``, errors from the closures, and the first target's error if all of them fail.
  func run<Contents: PublicationContents>(
    recognizing: (_ found: [TargetEntry]) throws -> Void = { _ in },
    progress: (BackupProgress) throws -> Void, gathering gather: () throws -> Contents
  ) throws -> (archive: PublishedArchive, contents: Contents) {
    let place = try findPlace(recognizing: recognizing, progress)
    let verified = try write(at: place, progress, gathering: gather)
    return (try distribute(verified, progress), verified.contents)
  }
}
