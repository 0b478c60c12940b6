internal import ArgumentParser
internal import FuekiBackup

/// The options of `restore` that exclude each other.
extension RestoreCommand {
  func validate() throws {
    guard archive == nil || !discardPrevious else {
      throw ValidationError("--discard-previous restores nothing: leave the archive out")
    }
    guard !resume || !discardPrevious && !dryRun && !salvage else {
      throw ValidationError(
        "--resume continues a restore: leave out --dry-run, --discard-previous and --salvage")
    }
    guard item.allSatisfy(Holding.isItem) else {
      throw ValidationError(
        "--item takes what restore prints of a later archive, such as files: and 32 digits")
    }
    guard item.isEmpty || !resume && only.only.isEmpty && wallet.isEmpty else {
      throw ValidationError(
        "--item restores these things only: leave out --only, --wallet and --resume")
    }
    guard !yes || !resume && !output.json else {
      throw ValidationError(
        "--yes brings what is missing at once, and --json lists it: leave out --json and --resume"
      )
    }
    guard !resume || archive == nil else {
      throw ValidationError(
        "--resume continues with the archive that the restore started with: do not name one")
    }
    guard !resume || only.only.isEmpty && exclude.isEmpty && wallet.isEmpty && onConflict == .fail else {
      throw ValidationError(
        "--resume keeps the choices that the restore started with: leave out --only, --exclude, --wallet and "
          + "--on-conflict"
      )
    }
  }
}
