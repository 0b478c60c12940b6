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
    fileNames: WalletNames(certain: ["UTC--*"], possible: ["*.json"]), limit: ImportLimits.keystoreByteCount,
    what: "keystore",
    recognises: {
      $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"") && !$0.contains("\"wallets\"")
    },
    look: KeystoreCollector.look)
}

/// Web3 Secret Storage files of version 3, as in geth and many others.
///
/// The files are encrypted by their wallet, and kept byte for byte. An invalid one is kept and its problems
/// are reported. The rules are those of the Web3 Secret Storage definition. Hidden files and editors' backups are
/// skipped, as in geth.
enum KeystoreCollector {
  static let byteCountLimit = ImportLimits.keystoreByteCount
  static let kind = "keystore"
  static let format = "web3-secret-storage-v3"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let (content, name) = (try found.publicBytes(), found.nameText)
    var kept = Kept(format: format)
    kept.isSecret = false
    switch KeystoreDescription(content, name: found.lastName) {
    case .other(let reason, _): return .other(reason: reason)
    case .earlier(let format, let address):
      (kept.format, kept.address) = (format, address)
      guard asked.request.isForBackup else { break }
      kept.findings = [asked.finding(name, .notProved(.notRead), detail: address)]
    case .keystore(let address, let kdf, let problems):
      (kept.address, kept.kdf, kept.problems) = (address, kdf, problems)
      guard asked.request.isForBackup else { break }
      let password = asked.hasPassword ? try asked.password.read() : nil
      kept.findings = [
        asked.finding(
          name, try KeystoreWorth.of(content, password, work: asked.work), detail: address)
      ]
    }
    return .wallet(kept)
  }
}

/// Assesses the backup of a Web3 Secret Storage file.
enum KeystoreWorth {
  /// Assesses a complete file: without a password by its form, with one by decrypting it.
  ///
  /// - Throws: errors of asking for the password, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  static func of(
    _ content: [UInt8], _ password: SharedSecret?, work: WorkBudget
  ) throws -> WalletFinding.Result {
    let keystore: KeystoreSecret
    do throws(KeyFileProblem) {
      keystore = try KeystoreSecret(content)
    } catch {
      return result(of: error)
    }
    guard let password else { return .notProved(.needsPassword) }
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
