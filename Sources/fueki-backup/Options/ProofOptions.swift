internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem

/// What proves that the keys are the right ones, and what is restored although they are not.
struct ProofOptions: ParsableArguments {
  @OptionGroup var passwords: KeystorePasswordOptions

  @Flag(help: "Restore even if keys do not match their addresses.")
  var acceptDifferences = false

  /// What proofs are made with.
  func material() throws -> ProofMaterial { try passwords.material() }
}

/// The passwords that other wallets' key files in an archive open with.
struct KeystorePasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the password of keystores in the archive; may be repeated.", valueName: "file"),
    completion: .file())
  var keystorePasswordFile: [String] = []

  private static let passwordLimit = 4096

  /// What proofs are made with.
  func material() throws -> ProofMaterial {
    ProofMaterial(
      encodings: ShareEncoding.all, keyFiles: KeyFileOpening.all,
      passwords: try keystorePasswordFile.map(Self.password))
  }

  /// A password as other wallets take it: its bytes as they are, without one line end.
  private static func password(inFile path: String) throws -> SharedSecret {
    let file = try SecretSource.privateFile(path)
    var raw = try SecretBytes(count: passwordLimit)
    var count: Int
    do {
      count = try raw.withMutableBytes { buffer in try file.read(into: &buffer) }
    } catch let error as SystemError where error.isTooLong {
      throw CommandError.secretUnreadable(
        source: path, reason: "a password has at most \(passwordLimit) bytes")
    }
    if count > 0, raw.withBytes({ $0[count - 1] }) == UInt8(ascii: "\n") { count -= 1 }
    return SharedSecret(try raw.copy(0..<count))
  }
}
