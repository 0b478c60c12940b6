internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup

/// A new list of the vaults that are in the targets.
struct NewListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write such a list of the vaults that are here to a new file.", valueName: "file"),
    completion: .file())
  var writeExpected: String?

  /// Writes the list of the vaults in the targets.
  ///
  /// - Throws: a ``Failure`` if a target cannot be read, because its vaults would be left out.
  func write(
    _ listings: [TargetListing], maxAge: DurationArgument?, _ trust: Trust, _ console: Console
  ) throws {
    guard let writeExpected else { return }
    for listing in listings { _ = try listing.entries.get() }
    let list = ExpectedVaults(of: listings.flatMap(\.sighted), maxAge: maxAge?.seconds) { vault in
      // A state that cannot be read is reported with its vault.
      (try? trust.of(vault))?.signers ?? []
    }
    guard !list.vaults.isEmpty else {
      throw Failure(FindingError.noArchives(targets: listings.map(\.target.path)))
    }
    try ExpectedVaultsFile.write(list, in: listings.map(\.target), to: writeExpected)
    let others = list.vaults.filter { !$0.otherSigners.isEmpty }
    for vault in others {
      console.warning(
        "vault \(vault.id.hex): "
          + (vault.signers.isEmpty
            ? "different keys signed its archives, and this machine knows none of them, so the list names none"
            : "another key than its signers signed archives of it")
          + ". Look at the comments in \(writeExpected)")
    }
    console.note("\(writeExpected): \(Readable.count(list.vaults.count, "vault"))")
  }
}
