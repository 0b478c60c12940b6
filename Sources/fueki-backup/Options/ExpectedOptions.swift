internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCrypto

/// The list of vaults that should be backed up.
struct ExpectedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Compare with a list of the vaults that should be here.", valueName: "file"),
    completion: .file())
  var expected: String?
  @Option(
    help: ArgumentHelp(
      "Demand that one of these keys signed the list: a key or a file of keys. May be repeated.",
      valueName: "key",
      visibility: .more), completion: .file())
  var expectedSigner: [String] = []

  var isUsed: Bool { expected != nil }

  func validate() throws {
    guard expected != nil || expectedSigner.isEmpty else {
      throw ValidationError("--expected-signer is for a list: use --expected FILE")
    }
  }

  /// Reads the list; nil without one.
  func list(_ configuration: Configuration) throws -> ExpectedVaults? {
    guard let expected else { return nil }
    let keys = try expectedSigner.flatMap { try TrustOptions.signers($0, configuration) }.map(\.publicKey)
    return try ExpectedVaultsFile.read(expected, signedBy: expectedSigner.isEmpty ? nil : Set(keys))
  }
}

/// A new list, of the vaults that are there now.
struct WriteExpectedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write such a list of the vaults that are here to a new file.", valueName: "file",
      visibility: .more), completion: .file())
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
    try ExpectedVaultsFile.write(list, to: writeExpected)
    console.note("\(writeExpected): \(Readable.count(list.vaults.count, "vault"))")
  }
}

extension TargetOptions {
  /// Returns the targets of the options, else of a list, else of the configuration.
  func targets(_ list: ExpectedVaults?, _ configuration: Configuration) -> [Target] {
    let listed = Set((list?.vaults ?? []).compactMap(\.target)).sorted()
    guard target.isEmpty, !listed.isEmpty else { return targets(configuration) }
    var options = self
    options.target = listed
    return options.targets(configuration)
  }
}
