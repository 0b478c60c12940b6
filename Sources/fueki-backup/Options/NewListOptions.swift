internal import ArgumentParser
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
  func write(_ listings: [TargetListing], maxAge: DurationArgument?, _ console: Console) throws {
    guard let writeExpected else { return }
    for listing in listings { _ = try listing.entries.get() }
    let list = ExpectedVaults(of: listings.flatMap(\.sighted), maxAge: maxAge?.seconds)
    guard !list.vaults.isEmpty else {
      throw Failure(FindingError.noArchives(targets: listings.map(\.target.path)))
    }
    try ExpectedVaultsFile.write(list, in: listings.map(\.target), to: writeExpected)
    console.note("\(writeExpected): \(Readable.count(list.vaults.count, "vault"))")
  }
}
