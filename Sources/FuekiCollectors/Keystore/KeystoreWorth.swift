internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Assesses the backup of a Web3 Secret Storage file.
enum KeystoreWorth {
  /// Assesses a complete file: without a password by its form, with one by decrypting it.
  ///
  /// - Throws: errors of asking for the password, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  static func of(
    _ content: [UInt8], _ passphrase: SourcePassphrase?, work: WorkBudget
  ) throws -> WalletFinding.Result {
    let keystore: KeystoreSecret
    do throws(KeyFileProblem) {
      keystore = try KeystoreSecret(content)
    } catch {
      return result(of: error)
    }
    guard let passphrase else { return .notProved(.needsPassword) }
    let password = try passphrase.read()
    do {
      let opened = try keystore.open(with: [password], work: work)
      let address = try KeyAddresses(of: opened.publicKey, on: opened.curve).evm
      // The checksum depends on the password, so a file that decrypts is authentic.
      guard let stated = try? EVMAddress(opened.stated) else { return .proved(.opened) }
      return stated == address ? .proved(.address) : .faulty(.otherAddress)
    } catch let error as KeyFileProblem {
      return result(of: error)
    }
  }

  private static func result(of problem: KeyFileProblem) -> WalletFinding.Result {
    switch problem {
    case .noPassword: .notProved(.needsPassword)
    case .wrongPassword: .notProved(.wrongPassword)
    case .tooCostly: .notProved(.workLimit)
    case .unknownScheme: .notProved(.unknownScheme)
    case .damaged: .faulty(.malformed)
    }
  }
}
