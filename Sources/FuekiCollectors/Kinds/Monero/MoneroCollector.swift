internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Monero's wallets.
  static let monero = CollectorKind(
    MoneroCollector.kind, "wallets of Monero: .keys and the files next to them", reach: .tree, guide: .monero,
    programs: [
      WalletProgram(
        id: "monero", title: "Monero", folders: ["Monero", ".bitmonero"],
        flatpaks: ["org.getmonero.Monero", "org.featherwallet.Feather"],
        snaps: ["monero"],
        places: [
          .folder("Monero/wallets", of: ["*.keys", "*/*.keys"], kind: MoneroCollector.kind, .always),
          .folder(".local/share/monero-wallet", of: ["*.keys"], kind: MoneroCollector.kind, .always),
        ])
    ],
    fileNames: WalletNames(certain: ["*.keys"]), limit: .max, what: "keys of a Monero wallet",
    recognises: { _ in false }, paths: MoneroCollector.paths, look: MoneroCollector.look)
}

/// Wallets of Monero's own programs and of Feather, byte for byte.
///
/// `NAME.keys` contains the encrypted keys. With their password they are compared with the address. `NAME`
/// has the results of a scan, with notes and payment keys; `NAME.address.txt` is the address.
enum MoneroCollector {
  static let kind = "monero"
  static let keysFormat = "monero-keys"
  static let cacheFormat = "monero-cache"
  static let keysEnding = ".keys"
  static let addressEnding = ".address.txt"

  /// The directory, or all files of the wallet to which the named file belongs.
  static func paths(of path: String) -> [String] {
    let endings = ["", Self.addressEnding, Self.keysEnding]
    func exists(_ path: String) -> Bool { (try? File.openRegular(path)) != nil }
    guard exists(path) else { return [path] }
    let stem =
      endings.dropFirst().first { path.hasSuffix($0) }.map { String(path.dropLast($0.count)) } ?? path
    guard !PathParts(stem).name.isEmpty, exists(stem + Self.keysEnding) else { return [path] }
    return endings.map { stem + $0 }.filter(exists)
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = found.nameText
    guard found.name.reversed().starts(with: keysEnding.utf8.reversed()) else {
      guard isBesideKeys(found.path) || name.hasSuffix(addressEnding) else {
        return .other(reason: "it is no file of a Monero wallet")
      }
      var kept = Kept(format: cacheFormat)
      (kept.isSecret, kept.program, kept.isWallet) = (false, kind, false)
      return .wallet(kept)
    }
    guard found.byteCount <= UInt64(ImportLimits.walletByteCount) else {
      throw ForeignFileError.overLimit(reason: "\(name) is longer than any wallet's keys")
    }
    var proof = MoneroProof(asked.proofPassword)
    let judged = try proof.judge(found.publicBytes(), name, address: Self.address(beside: found.path))
    var kept = Kept(format: keysFormat, isSecret: judged.finding.isInClear, judged.finding)
    (kept.program, kept.wallets) = (kind, judged.wallet.map { [$0] } ?? [])
    return .wallet(kept)
  }

  /// Whether a file is next to its wallet's keys, and thus the wallet's cache.
  private static func isBesideKeys(_ path: [UInt8]) -> Bool {
    (try? File.openRegular(path + Array(Self.keysEnding.utf8))) != nil
  }

  /// Returns the address in the file next to a wallet's keys.
  private static func address(beside path: [UInt8]) -> String? {
    let stem = path.dropLast(keysEnding.utf8.count)
    guard let file = try? File.openRegular(Array(stem) + Array(addressEnding.utf8)),
      let text = try? file.readAll(limit: 1024)
    else { return nil }
    let address = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
    return address.isEmpty ? nil : address
  }
}

/// Compares wallets' keys with their addresses.
struct MoneroProof {
  private let password: AskedPassword
  /// The keys for no password and for the given one.
  ///
  /// Each takes some tens of milliseconds.
  private var noKey: SharedSecret?
  private var givenKey: SharedSecret?

  init(_ password: AskedPassword) { self.password = password }

  /// Assesses a keys file.
  mutating func judge(
    _ content: [UInt8], _ name: String, address: String?
  ) throws -> (finding: WalletFinding, wallet: Wallet?) {
    var finding = WalletFinding(kind: MoneroCollector.kind, name: name, .faulty(.length))
    guard let file = MoneroKeysFile(content) else { return (finding, nil) }
    finding.result = .notProved(.notRead)
    // Until the keys prove another one, the wallet is known by the address next to them.
    finding.detail = address.flatMap { Self.isAddress($0) ? $0 : nil } ?? ""
    guard file.isReadable else { return (finding, nil) }
    do {
      if let account = try unprotected(file) {
        // Anyone with such a file has the keys.
        finding.isInClear = account.kind == .whole || account.kind == .multisig
        return try compare(account, finding, address)
      }
      guard let key = try key() else {
        finding.result = .notProved(.needsPassword)
        return (finding, nil)
      }
      return try compare(file.open(key.bytes), finding, address)
    } catch is MoneroKeysFile.WrongPassword {
      finding.result = .notProved(.wrongPassword)
    } catch is MoneroAccount.Malformed {
      finding.result = .faulty(.malformed)
    }
    return (finding, nil)
  }

  /// Whether a text has the form of an address, with or without a payment's number.
  private static func isAddress(_ text: String) -> Bool {
    [95, 106].contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Returns the keys of a wallet without a password; nil if it has one.
  private mutating func unprotected(_ file: MoneroKeysFile) throws -> MoneroAccount? {
    let none: [UInt8] = []
    let key = try noKey ?? SharedSecret(CryptoNight.hash(none.span))
    noKey = key
    do {
      return try file.open(key.bytes)
    } catch is MoneroKeysFile.WrongPassword {
      return nil
    }
  }

  /// Returns the key for the given password; nil if none was given.
  private mutating func key() throws -> SharedSecret? {
    if let givenKey { return givenKey }
    guard let password = try password.read() else { return nil }
    givenKey = SharedSecret(
      try password.bytes.withBytes { bytes throws(CryptoError) in try CryptoNight.hash(bytes) })
    return givenKey
  }

  private func compare(
    _ account: borrowing MoneroAccount, _ finding: WalletFinding, _ stated: String?
  ) throws -> (finding: WalletFinding, wallet: Wallet?) {
    var finding = finding
    let (spend, view) = (account.spend, account.view)
    let networks = account.network.map { [$0] } ?? MoneroAddress.Network.allCases
    let addresses = networks.map { MoneroAddress.encode(spend: spend, view: view, on: $0) }
    let place = stated.flatMap { addresses.firstIndex(of: $0) }
    finding.detail = addresses[place ?? 0]
    finding.result = try Self.result(account)
    guard !finding.isFaulty else { return (finding, nil) }
    guard stated == nil || place != nil else {
      finding.result = .faulty(.otherAddress)
      return (finding, nil)
    }
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("monero wallet", finding.detail)
    wallet.name = String(finding.name.dropLast(MoneroCollector.keysEnding.count))
    wallet.kind = Self.walletKind(account.kind).rawValue
    wallet.chainFamily = MoneroCollector.kind
    wallet.network = networks[place ?? 0].name
    wallet.address = PackedText.pack(finding.detail)
    if account.restoreHeight > 0 { wallet.birthday.height = account.restoreHeight }
    return (finding, wallet)
  }

  private static func result(_ account: borrowing MoneroAccount) throws -> WalletFinding.Result {
    // A hardware wallet's keys are in the device. The file has only placeholders.
    if account.kind == .device { return .publicPart() }
    guard try account.seesItsPayments() else { return .faulty(.secretDiffers) }
    switch account.kind {
    case .whole: return try account.spendsItsMoney() ? .proved(.address) : .faulty(.secretDiffers)
    case .watchOnly, .device: return .publicPart()
    case .multisig: return .notProved(.needsOtherParties)
    }
  }

  private static func walletKind(_ kind: MoneroAccount.Kind) -> WalletKind {
    switch kind {
    case .whole: .hot
    case .watchOnly: .watchOnly
    case .multisig: .tss
    case .device: .hardware
    }
  }
}
