internal import ArgumentParser
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

  var isUsed: Bool { expected != nil }

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

  /// The result of checking the list's signature, once ``list(_:_:)`` has read it; nil without a list.
  var signature: ListSignature? {
    guard let expected else { return nil }
    guard expectedSigner.isEmpty else { return .verified }
    return Self.isSigned(expected) ? .notChecked : .unsigned
  }

  private static func isSigned(_ path: String) -> Bool { (try? FileStatus.of(path + ".minisig")) != nil }

  /// The keys of which one must have signed the list; nil requires none.
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
