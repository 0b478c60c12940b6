internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The list of vaults that should be backed up.
struct ExpectedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Compare with a list of the vaults that should be here.", valueName: "file"),
    completion: .file())
  var expected: String?
  @Option(
    help: ArgumentHelp(
      "Demand that one of these keys signed the list: a key or a file of keys. May be repeated.",
      valueName: "key"), completion: .file())
  var expectedSigner: [String] = []

  func validate() throws {
    guard expected != nil || expectedSigner.isEmpty else {
      throw ValidationError("--expected-signer is for a list: use --expected FILE")
    }
  }

  /// Reads the list; nil without one.
  func list(_ configuration: Configuration, _ console: Console) throws -> ExpectedVaults? {
    guard let expected else { return nil }
    let list = try ExpectedVaultsFile.read(expected, signedBy: signers(configuration))
    if expectedSigner.isEmpty { console.note(Self.unproved(expected)) }
    return list
  }

  /// The keys of which one must have signed the list; nil requires none.
  func signers(_ configuration: Configuration) throws -> Set<Ed25519.PublicKey>? {
    guard !expectedSigner.isEmpty else { return nil }
    return Set(try expectedSigner.flatMap { try TrustOptions.signers($0, configuration) }.map(\.publicKey))
  }

  /// Returns what follows from a list whose signature is not required.
  static func unproved(_ path: String) -> String {
    let isSigned = (try? FileStatus.of(path + ".minisig")) != nil
    return "\(path): "
      + (isSigned ? "its signature was not checked" : "it is not signed")
      + ", so anyone who can change the file decides which vaults are expected. "
      + (isSigned ? "" : "\"fueki-backup key sign\" signs it, and ")
      + "--expected-signer KEY requires the signature"
  }
}

extension ExpectedVaults {
  /// Judges the vaults of the list whose target is among those that were read, or below one of them.
  ///
  /// - Parameters:
  ///   - roots: the targets that the run was asked to read.
  ///   - listings: the contents of the targets that it read.
  ///   - damaged: the archives that were read whole and found damaged.
  ///   - activity: this machine's activities.
  ///   - now: seconds since 1970.
  /// - Returns: the verdicts, and the number of vaults whose targets were not read.
  func judge(
    _ roots: [Target], _ listings: [TargetListing], damaged: Set<Digest>, _ activity: [Activity], now: Int64
  ) -> (verdicts: [Verdict], elsewhere: Int) {
    func contains(_ place: String, _ target: String) -> Bool {
      target == place || target.hasPrefix(place.hasSuffix("/") || place.hasSuffix(":") ? place : place + "/")
    }
    let places = Set(listings.map(\.target.place)).union(roots.map(\.place))
    let here = vaults.filter { vault in
      vault.target.map { target in places.contains(target) || roots.contains { contains($0.place, target) } }
        ?? true
    }
    var unreachable: [String: String] = [:]
    for listing in listings {
      guard case .failure(let error) = listing.entries else { continue }
      let (place, reason) = (listing.target.place, Failure(describing: error).message)
      unreachable[place] = reason
      for target in here.compactMap(\.target) where contains(place, target) { unreachable[target] = reason }
    }
    let drills = Dictionary(
      activity.filter { $0.kind == .drill }.compactMap { drill in
        VaultID(hex: drill.vault).map { ($0, drill.time) }
      },
      uniquingKeysWith: max)
    // A vault of the list is not foreign where it is not judged.
    let elsewhere = Set(vaults.map(\.id)).subtracting(here.map(\.id))
    let sighted = listings.flatMap(\.sighted).filter { !elsewhere.contains($0.vault) }.map { archive in
      var archive = archive
      if damaged.contains(archive.digest) { archive.state = .damaged }
      return archive
    }
    let verdicts = ExpectedVaults(here).judge(sighted, unreachable: unreachable, drills: drills, now: now)
    return (verdicts, elsewhere.count)
  }
}

extension TargetListing {
  /// The public facts of its archives.
  var sighted: [SightedArchive] { readable.compactMap { SightedArchive($0, in: target) } }
}
