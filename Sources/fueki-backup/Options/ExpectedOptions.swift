internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The lists of vaults that should be backed up.
struct ExpectedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compare with a list of the vaults that should be here. May be repeated.", valueName: "file"),
    completion: .file())
  var expected: [String] = []
  @Option(
    help: ArgumentHelp(
      "Demand that one of these keys signed the list: a key or a file of keys. May be repeated.",
      valueName: "key"), completion: .file())
  var expectedSigner: [String] = []

  var isUsed: Bool { !expected.isEmpty }

  func validate() throws {
    guard isUsed || expectedSigner.isEmpty else {
      throw ValidationError("--expected-signer is for a list: use --expected FILE")
    }
  }

  /// Reads the lists as one; nil without any.
  func list(_ configuration: Configuration, _ console: Console) throws -> ExpectedVaults? {
    guard isUsed else { return nil }
    let signers = try signers(configuration)
    var vaults: [ExpectedVault] = []
    var lists: [VaultID: String] = [:]
    for path in expected {
      let list = try ExpectedVaultsFile.read(path, signedBy: signers)
      for vault in list.vaults {
        if let other = lists.updateValue(path, forKey: vault.id) {
          throw CommandError.usage("vault \(vault.id.hex) is in two lists: \(other) and \(path)")
        }
        vaults.append(vault)
      }
      if signers == nil { console.note(Self.unproved(path)) }
      if let signed = list.signed { console.note("\(path): signed at \(Times.text(signed))") }
    }
    return ExpectedVaults(vaults)
  }

  /// The result of checking the lists' signatures, once ``list(_:_:)`` has read them; nil without a list.
  var signature: ListSignature? {
    guard isUsed else { return nil }
    guard expectedSigner.isEmpty else { return .verified }
    return expected.allSatisfy(Self.isSigned) ? .notChecked : .unsigned
  }

  private static func isSigned(_ path: String) -> Bool { (try? FileStatus.of(path + ".minisig")) != nil }

  /// The keys of which one must have signed each list; nil requires none.
  func signers(_ configuration: Configuration) throws -> Set<Ed25519.PublicKey>? {
    guard !expectedSigner.isEmpty else { return nil }
    return Set(try expectedSigner.flatMap { try signers($0, configuration) }.map(\.publicKey))
  }

  private func signers(_ text: String, _ configuration: Configuration) throws -> [Signer] {
    try TrustOptions.signers(
      text, configuration,
      forms: "--expected-signer takes 64 hex digits, a fueki-signer line, or a file of such lines")
  }

  /// Returns what follows from a list whose signature is not required.
  static func unproved(_ path: String) -> String {
    let isSigned = isSigned(path)
    return "\(path): "
      + (isSigned ? "its signature was not checked" : "it is not signed")
      + ", so anyone who can change the file decides which vaults are expected. "
      + (isSigned ? "" : "\"fueki-backup key sign\" signs it, and ")
      + "--expected-signer KEY requires the signature"
  }
}

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
      throw FindingError.noArchives(targets: listings.map(\.target.path)).failure
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
