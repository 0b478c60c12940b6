internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let keystore = CollectorKind(
    KeystoreCollector.kind, "Web3 Secret Storage files (geth and others)", reach: .folder, guide: .keystores,
    programs: [
      WalletProgram(
        id: "geth", title: "geth", group: .node, folders: [".ethereum"], snaps: ["geth"],
        locks: [.held(".ethereum/geth/LOCK"), .held(".ethereum/*/geth/LOCK")],
        places: [
          .folder(".ethereum/keystore", of: ["*"], kind: "keystore", .always),
          .folder(".ethereum/*/keystore", of: ["*"], kind: "keystore", .always),
        ]),
      WalletProgram(
        id: "nethermind", title: "Nethermind", group: .node, folders: [".nethermind"],
        places: [.folder(".nethermind/keystore", of: ["UTC--*"], kind: "keystore", .always)]),
      WalletProgram(
        id: "foundry", title: "Foundry", group: .node, folders: [".foundry"],
        places: [.folder(".foundry/keystores", of: ["*"], kind: "keystore", .always)]),
      WalletProgram(
        id: "brownie", title: "Brownie", group: .node, folders: [".brownie"],
        places: [.folder(".brownie/accounts", of: ["*.json"], kind: "keystore", .always)]),
      WalletProgram(
        id: "keystore-export", title: "Ethereum keystore",
        places: [.export("UTC--*", kind: "keystore", .always)]),
    ],
    formats: [
      FileFormat(
        KeystoreCollector.format,
        isPublic: {
          $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"") && $0.contains("\"mac\"")
        })
    ],
    fileNames: WalletNames(possible: ["UTC--*", "*.json"]),
    recognises: {
      $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"") && !$0.contains("\"wallets\"")
    },
    read: KeystoreCollector.read)
}

/// Collects a directory of Web3 Secret Storage files of version 3, as in geth and many others, or one such
/// file.
///
/// The files are encrypted by their wallet, and kept byte for byte. An invalid one is kept and its problems
/// are reported. Other files are excluded with a reason. The rules are those of the Web3 Secret Storage
/// definition. Hidden files and editors' backups are skipped, as in geth.
enum KeystoreCollector {
  static let byteCountLimit = ImportLimits.keystoreByteCount
  static let kind = "keystore"
  static let format = "web3-secret-storage-v3"

  /// Reads the directory's files.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    guard records.wants(.files, request) else { return records }
    let files = SourceFiles(
      path: source.path, byteCountLimit: UInt64(Self.byteCountLimit),
      destroyed: source.destroyed(request))
    try files.forEach(into: &records) { found, records in
      let name = found.name
      let content: [UInt8]
      do throws(SystemError) {
        content = try found.file.readAll(limit: Self.byteCountLimit)
      } catch {
        return records.exclude(FileName.text(name), error.sentence, loss: .possible)
      }
      switch KeystoreDescription(content, name: name) {
      case .other(let reason, let mayHoldKey):
        records.exclude(FileName.text(name), reason, loss: mayHoldKey ? .possible : .none)
      case .earlier(let format, let address):
        KeptFile(source: Self.kind, format: format, address: address).keep(content, of: found, in: &records)
        guard request.isForBackup else { return }
        records.findings.append(
          WalletFinding(kind: Self.kind, name: FileName.text(name), .notProved(.notRead), detail: address))
      case .keystore(let address, let kdf, let problems):
        let file = KeptFile(source: Self.kind, format: Self.format, address: address, kdf: kdf)
          .keep(content, of: found, in: &records)
        records.problems += problems.map(file.problem)
        guard request.isForBackup else { return }
        let result = try KeystoreWorth.of(content, source.passphrase, work: request.work)
        records.findings.append(
          WalletFinding(kind: Self.kind, name: FileName.text(name), result, detail: address))
      }
    }
    if records.files.isEmpty { try records.foundNothing(at: source.path, "no keystore is there") }
    return records
  }
}

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
