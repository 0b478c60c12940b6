internal import FuekiArchive
internal import FuekiSystem

extension Publication {
  /// An archive that has no name yet, every byte of which was read back.
  struct Verified<Contents> {
    let contents: Contents
    let written: WrittenArchive
    let intact: IntactArchive
    /// The archive's file, which is removed with this value unless it is published.
    let temporary: TemporaryArchive
    /// The facts of the contents to remember; nil if nothing was collected.
    let facts: CollectedFacts?
    /// The things of worth in it, and those that only earlier archives have.
    let inventory: Inventory?
    /// The part of the history in the archive; nil if it holds everything and no later archive builds on it.
    let pass: HistoryPass?
    /// The archive's place, without the targets that failed meanwhile.
    var place: Place
  }

  /// Gathers the contents, writes them to the first target, and reads them back.
  ///
  /// If a target fails, the next one takes its role. Without a suitable base the archive becomes a full one.
  ///
  /// - Throws: ``PublishError``; ``TargetError/readBackDiffers(path:)``; errors from the closures; the last target's
  ///   error if all of them fail.
  func write<Contents: PublicationContents>(
    at place: Place, _ progress: (BackupProgress) throws -> Void, gathering gather: () throws -> Contents
  ) throws -> Verified<Contents> {
    var place = place
    while true {
      let contents = try gather()
      do {
        return try write(contents, at: place, progress)
      } catch let error as FullNeeded {
        place.basis = try full(error.reason)
      } catch  where changes.beginsAgain(after: error) {
        continue
      } catch  where (error is SystemError || error is TargetError) && place.live.count > 1 {
        place.failures.append(TargetFailure(place.live.removeFirst(), error))
      }
    }
  }

  private func write<Contents: PublicationContents>(
    _ contents: Contents, at place: Place, _ progress: (BackupProgress) throws -> Void
  ) throws -> Verified<Contents> {
    let workshop = try place.live[0].storage.workshop(state, machine: place.machine)
    try workshop.checkRoom(for: place.room)
    let temporary = try TemporaryArchive(in: workshop, machine: place.machine)
    var pass = place.basis?.pass
    let draft = ArchiveDraft(
      vaultID: vaultID, sequence: place.position.sequence, previous: place.position.previous,
      created: created, signer: place.signer, base: pass?.base?.base)
    let written = try contents.write(to: temporary.file, draft: draft, passing: &pass, progress: progress)
    let facts = contents.facts
    let inventory = try memory.inventory(
      written, facts?.holdings, after: state.directory.vault(vaultID))
    try pass?.base?.checkLength(of: written)
    let intact = try temporary.readBack(written.digest) {
      try progress(.readingBack(bytes: $0, of: written.byteCount))
    }
    try pass?.compare(written, in: intact)
    return Verified(
      contents: contents, written: written, intact: intact, temporary: temporary, facts: facts,
      inventory: inventory, pass: pass, place: place)
  }
}
