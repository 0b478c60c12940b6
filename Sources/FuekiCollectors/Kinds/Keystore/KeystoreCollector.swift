internal import FuekiSources
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
    case .other(let reason): return .other(reason: reason)
    case .earlier(let format, let address):
      (kept.format, kept.address) = (format, address)
      guard asked.request.isForBackup else { break }
      kept.findings = [asked.finding(name, .notProved(.notRead), detail: address)]
    case .keystore(let address, let kdf, let problems):
      (kept.address, kept.kdf, kept.problems) = (address, kdf, problems)
      // A file that only has the name of one may be a key in the clear.
      kept.isSecret = address.isEmpty && !content.span.contains("\"ciphertext\"")
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

/// The classification of a file as a Web3 Secret Storage file.
///
/// Nothing is decrypted, and only public members are read.
package enum KeystoreDescription: Equatable {
  /// A file of version 3, and its problems.
  case keystore(address: String, kdf: String, problems: [String])
  /// A key in another format, kept without being read: a presale wallet, or a keystore of an earlier version.
  case earlier(format: String, address: String)
  /// Another kind of file.
  case other(reason: String)

  /// Classifies a complete file.
  ///
  /// A damaged keystore is recognised by a name in geth's format.
  package init(_ bytes: [UInt8], name: [UInt8]) {
    do throws(JSONError) {
      self = Self.describe(try JSONDocument(bytes, limit: KeystoreCollector.byteCountLimit).root)
    } catch {
      // A damaged keystore is still worth keeping.
      let text = bytes.span
      guard Self.isKeystoreName(name) || text.contains("\"ciphertext\"") || text.contains("\"kdfparams\"")
      else {
        self = .other(reason: "not a keystore: \(error.sentence)")
        return
      }
      self = .keystore(address: "", kdf: "", problems: ["damaged: \(error.sentence)"])
    }
  }

  private static func describe(_ root: JSONValue) -> KeystoreDescription {
    if root.member("encseed")?.string != nil, let address = root.member("ethaddr")?.string {
      return .earlier(format: "ethereum-presale", address: text(of: address))
    }
    // Some wallets write "Crypto", and others accept any case.
    guard let crypto = root.children.first(where: { $0.name.lowercased() == "crypto" }),
      crypto.kind == .object
    else { return .other(reason: "JSON, but not a keystore") }
    let version = root.member("version")
    switch version?.number ?? version?.string {
    case "3", nil: break
    case let earlier? where earlier == "1" || earlier == "2":
      return .earlier(
        format: "web3-secret-storage-v\(earlier)", address: text(of: root.member("address")?.string ?? ""))
    case let other?:
      return .other(reason: "a keystore of version \(other.prefix(20)), not of version 3")
    }
    var problems: [String] = []
    if version?.number == nil { problems.append("its version is not the number 3") }
    let address = address(root.member("address"), &problems)
    KeystoreCheck.check(crypto, &problems)
    return .keystore(address: address, kdf: crypto.member("kdf")?.string ?? "", problems: problems)
  }

  /// Returns an address in its usual form; empty for invalid digits.
  private static func text(of digits: String) -> String {
    let bare = digits.hasPrefix("0x") || digits.hasPrefix("0X") ? digits.dropFirst(2) : digits[...]
    return Hex.decode(bare).flatMap { EVMAddress(bytes: $0) }?.description ?? ""
  }

  private static func address(_ member: JSONValue?, _ problems: inout [String]) -> String {
    guard let digits = member?.string else {
      problems.append("it has no address, and geth does not load it")
      return ""
    }
    let bare = digits.hasPrefix("0x") || digits.hasPrefix("0X") ? digits.dropFirst(2) : digits[...]
    guard let bytes = Hex.decode(bare), let address = EVMAddress(bytes: bytes) else {
      problems.append("its address has not 40 hexadecimal digits")
      return ""
    }
    if bytes.allSatisfy({ $0 == 0 }) { problems.append("its address is zero, which no key has") }
    return address.description
  }

  /// Whether a name has geth's format: `UTC--<time>--<40 digits>`.
  private static func isKeystoreName(_ name: [UInt8]) -> Bool {
    guard name.starts(with: "UTC--".utf8), name.count > 45 else { return false }
    return Hex.decode(String(decoding: name.suffix(40), as: UTF8.self)) != nil
  }
}

/// Checks the encrypted part of a Web3 Secret Storage file.
///
/// Wallets cannot decrypt a file that breaks these rules. Whether they can decrypt the others, only the
/// passphrase would show.
enum KeystoreCheck {
  static func check(_ crypto: JSONValue, _ problems: inout [String]) {
    func note(unless isRight: Bool, _ problem: String) {
      if !isRight { problems.append(problem) }
    }
    let cipher = crypto.member("cipher")?.string
    note(unless: cipher == "aes-128-ctr", "its cipher is not aes-128-ctr")
    note(unless: byteCount(crypto.member("cipherparams")?.member("iv")) == 16, "its iv has not 16 bytes")
    note(unless: 1...32 ~= byteCount(crypto.member("ciphertext")), "its ciphertext has not up to 32 bytes")
    note(unless: byteCount(crypto.member("mac")) == 32, "its mac has not 32 bytes")
    let parameters = crypto.member("kdfparams")
    note(unless: byteCount(parameters?.member("salt")) > 0, "it has no salt")
    note(unless: number(parameters, "dklen") >= 32, "its derived key has not at least 32 bytes")
    switch crypto.member("kdf")?.string {
    case "scrypt":
      let cost = number(parameters, "n")
      note(unless: cost > 1 && cost & (cost - 1) == 0, "its scrypt cost is not a power of two")
      note(unless: number(parameters, "r") > 0, "it has no scrypt block size")
      note(unless: number(parameters, "p") > 0, "it has no scrypt parallelism")
    case "pbkdf2":
      note(unless: number(parameters, "c") > 0, "it has no count of PBKDF2 rounds")
      note(unless: parameters?.member("prf")?.string == "hmac-sha256", "its PBKDF2 is not of HMAC-SHA-256")
    default: problems.append("its key derivation is neither scrypt nor pbkdf2")
    }
  }

  /// Whether each scheme stated in a file is defined by the standard.
  ///
  /// Some wallets use their own ciphers and derivations in this format: such a file counts as valid as far as
  /// known. A file that omits a scheme is damaged.
  static func isKnownScheme(_ crypto: JSONValue) -> Bool {
    let function = crypto.member("kdf")?.string
    let random = function == "pbkdf2" ? crypto.member("kdfparams")?.member("prf")?.string : nil
    return [nil, "aes-128-ctr"].contains(crypto.member("cipher")?.string)
      && [nil, "scrypt", "pbkdf2"].contains(function) && [nil, "hmac-sha256"].contains(random)
  }

  /// Returns the number of bytes in a hexadecimal text; -1 for any other value.
  private static func byteCount(_ value: JSONValue?) -> Int {
    guard let text = value?.string, let bytes = Hex.decode(text) else { return -1 }
    return bytes.count
  }

  /// Returns a small whole number; -1 for any other value.
  private static func number(_ parameters: JSONValue?, _ name: String) -> Int {
    guard let digits = parameters?.member(name)?.number else { return -1 }
    return Int(digits) ?? -1
  }
}
