internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Validators' keystores.
  static let eip2335 = CollectorKind(
    EIP2335Collector.kind, "validator keys of Ethereum, encrypted as EIP-2335 has it", reach: .tree,
    guide: .validators,
    programs: WalletProgram.validators,
    formats: [
      FileFormat(
        EIP2335Collector.format, hold: .validatorKey,
        // Lighthouse's, Prysm's wallet of all keys, and the deposit tool's.
        heldNames: ["voting-keystore.json", "all-accounts.keystore.json", "keystore-m_12381_*"],
        isPublic: {
          $0.contains("\"checksum\"") && $0.contains("\"cipher\"") && $0.contains("\"pubkey\"")
        })
    ],
    fileNames: WalletNames(
      certain: ["voting-keystore.json", "all-accounts.keystore.json", "keystore-m_12381_*"],
      possible: ["*.json"]),
    hazards: [.validator], limit: ImportLimits.validatorKeystoreByteCount, what: "validator's keystore",
    recognises: {
      $0.contains("\"checksum\"") && $0.contains("\"cipher\"") && $0.contains("\"kdf\"")
        && !$0.contains("\"ciphertext\"")
    },
    look: EIP2335Collector.look)
}

/// Validators' keystores.
///
/// The files are encrypted and kept byte for byte. With their password, the secret is multiplied by the
/// generator of BLS12-381 and compared with the file's public key. A keystore that differs is kept and
/// reported.
enum EIP2335Collector {
  static let kind = "eip2335"
  static let format = "eip2335-keystore"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let (content, name) = (try found.publicBytes(), found.nameText)
    guard let root = try? JSONDocument(content, limit: content.count).root else {
      guard content.span.contains("\"checksum\"") else {
        return .other(reason: "it is no validator's keystore")
      }
      return .wallet(damaged("it is not JSON any more", name, asked))
    }
    guard root.member("metadata")?.member("interchange_format_version") == nil else {
      return .other(reason: "it is a slashing record: back it up as eip3076:PATH too")
    }
    guard EIP2335Keystore.isMeant(root) else {
      return .other(reason: "it is JSON, but no validator's keystore")
    }
    do {
      let keystore = try EIP2335Keystore(root)
      var kept = Kept(
        format: format, isSecret: false, try finding(keystore, name, asked.proofPassword))
      (kept.hazards, kept.kdf) = (asked.kind.hazards, keystore.kdf)
      kept.address = keystore.publicKey.map { "0x" + Hex.encode($0) } ?? ""
      return .wallet(kept)
    } catch let problem as EIP2335Keystore.Problem {
      return .wallet(damaged(problem.sentence, name, asked))
    }
  }

  private static func damaged(_ reason: String, _ name: String, _ asked: Asked) -> Kept {
    var kept = Kept(format: format, isSecret: false, asked.finding(name, .faulty(.malformed)))
    (kept.hazards, kept.problems) = (asked.kind.hazards, [reason])
    return kept
  }

  private static func finding(
    _ keystore: EIP2335Keystore, _ name: String, _ password: AskedPassword
  ) throws -> WalletFinding {
    let stated = keystore.publicKey.map { "0x" + Hex.encode($0) } ?? ""
    var finding = WalletFinding(kind: kind, name: name, .notProved(.needsPassword), detail: stated)
    do {
      guard let typed = try password.read() else { return finding }
      finding.result = .notProved(.wrongPassword)
      let form = try KeystorePassword.form(of: typed.bytes)
      guard let secret = try keystore.open(form, work: password.work) else { return finding }
      (finding.result, finding.detail) = judged(secret, keystore, stated)
    } catch is WorkBudget.Exceeded {
      finding.result = .notProved(.workLimit)
    } catch CryptoError.invalidPassphrase {
      // A password that is not text cannot be right, because the standard normalises it as Unicode.
    }
    return finding
  }

  private static func judged(
    _ secret: borrowing SecretBytes, _ keystore: EIP2335Keystore, _ stated: String
  ) -> (WalletFinding.Result, String) {
    let found = try? BLS12381.publicKey(secret: secret)
    guard let expected = keystore.publicKey else {
      // Prysm keeps all keys of a machine in one file, and does not state their public keys outside.
      guard let found else { return (.proved(.opened), stated) }
      return (.notProved(.nothingToCompare), "0x" + Hex.encode(found))
    }
    return (found == expected ? .proved(.publicKey) : .faulty(.secretDiffers), stated)
  }
}
