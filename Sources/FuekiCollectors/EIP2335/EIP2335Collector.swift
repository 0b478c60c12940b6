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
    fileNames: WalletNames(possible: ["*.json"]), hazards: [.validator],
    recognises: {
      $0.contains("\"checksum\"") && $0.contains("\"cipher\"") && $0.contains("\"kdf\"")
        && !$0.contains("\"ciphertext\"")
    },
    read: EIP2335Collector.read)
}

/// Collects validators' keystores: a file, or all in a directory.
///
/// The files are encrypted and kept byte for byte. With their password, the secret is multiplied by the
/// generator of BLS12-381 and compared with the file's public key. A keystore that differs is kept and
/// reported.
enum EIP2335Collector {
  static let kind = "eip2335"
  static let format = "eip2335-keystore"

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    let password = source.proofPassword(request)
    try source.walk(request).forEach(into: &records) { found, records in
      let name = found.nameText
      guard found.status.size <= UInt64(ImportLimits.validatorKeystoreByteCount), found.beginsAsObject else {
        return records.exclude(name, "no validator's keystore", loss: .none)
      }
      let content = try found.file.readAll(limit: ImportLimits.validatorKeystoreByteCount)
      records.budget.read(content.count)
      guard let root = try? JSONDocument(content, limit: content.count).root else {
        guard content.span.contains("\"checksum\"") else {
          return records.exclude(name, "no validator's keystore", loss: .none)
        }
        return Self.keepDamaged(content, found, "it is not JSON any more", &records)
      }
      if root.member("metadata")?.member("interchange_format_version") != nil {
        return records.exclude(name, "a slashing record: back it up as eip3076:PATH too", loss: .none)
      }
      guard EIP2335Keystore.isMeant(root) else {
        return records.exclude(name, "JSON, but no validator's keystore", loss: .none)
      }
      do {
        let keystore = try EIP2335Keystore(root)
        let finding = try Self.finding(keystore, name, password)
        var kept = KeptFile(source: Self.kind, format: Self.format, hazards: Self.hazards)
        kept.kdf = keystore.kdf
        kept.address = keystore.publicKey.map { "0x" + Hex.encode($0) } ?? ""
        kept.keep(content, of: found, in: &records)
        records.findings.append(finding)
      } catch let problem as EIP2335Keystore.Problem {
        Self.keepDamaged(content, found, problem.sentence, &records)
      }
    }
    if records.files.isEmpty { try records.foundNothing(at: source.path, "no validator's keystore is there") }
    records.keepOnly(request)
    return records
  }

  private static let hazards = CollectorKind.eip2335.hazards.map(\.rawValue)

  private static func keepDamaged(
    _ content: [UInt8], _ found: borrowing FoundFile, _ reason: String, _ records: inout ImportedRecords
  ) {
    let file = KeptFile(source: kind, format: format, hazards: hazards).keep(content, of: found, in: &records)
    records.problems.append(file.problem(reason))
    records.findings.append(WalletFinding(kind: kind, name: found.nameText, .faulty(.malformed)))
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
