internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
package import FuekiWallet

/// MetaMask's encrypted keys: the extension's AES-256-GCM, or the app's AES-256-CBC without authentication.
struct MetaMaskVault {
  private enum Form {
    case browser(salt: [UInt8], vector: [UInt8])
    /// The app uses the salt's text as its bytes.
    ///
    /// Newer versions may decode it.
    case mobile(salts: [[UInt8]], vector: [UInt8])
  }

  private let form: Form
  private let rounds: Int
  private let ciphertext: [UInt8]

  private static let browserRounds = 10_000
  private static let mobileRounds = 5_000

  /// Parses the members of a vault; nil for another object.
  init?(_ value: JSONValue) {
    func base64(_ name: String) -> [UInt8]? {
      value.member(name)?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }
    guard let saltText = value.member("salt")?.string else { return nil }
    let parameters = value.member("keyMetadata")?.member("params")
    let stated = parameters?.member("iterations")?.number.flatMap { Int($0) }
    if let data = base64("data"), let vector = base64("iv"), let salt = base64("salt"),
      !data.isEmpty
    {
      form = .browser(salt: salt, vector: vector)
      ciphertext = data
      rounds = stated ?? Self.browserRounds
    } else if let cipher = base64("cipher"),
      let vector = value.member("iv")?.string.flatMap({ Hex.decode($0) }),
      !cipher.isEmpty
    {
      let decoded = base64("salt").map { [$0] } ?? []
      form = .mobile(salts: [Array(saltText.utf8)] + decoded, vector: vector)
      ciphertext = cipher
      rounds = stated ?? Self.mobileRounds
    } else {
      return nil
    }
  }

  /// Whether its key cannot be derived at all.
  var isMalformed: Bool { rounds < 1 }

  /// Decrypts the keyrings; nil if the password is wrong.
  ///
  /// - Throws: ``WorkBudget/Exceeded``, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  func open(_ password: borrowing SecretBytes, work: WorkBudget) throws -> GuardedDocument? {
    switch form {
    case .browser(let salt, let vector):
      let key = try work.pbkdf2(from: password, salt: salt, iterations: rounds, count: 32)
      do throws(CryptoError) {
        return Self.document(try AESCipher.openGCM(ciphertext.span, key: key, nonce: vector))
      } catch .notAuthentic, .invalidLength {
        return nil
      }
    case .mobile(let salts, let vector):
      for salt in salts {
        let key = try work.pbkdf2(from: password, salt: salt, iterations: rounds, count: 32, hash: .sha512)
        do throws(CryptoError) {
          if let document = Self.document(
            try AESCipher.decryptCBC(ciphertext.span, key: key, vector: vector))
          {
            return document
          }
        } catch .notAuthentic, .invalidLength {
          continue
        }
      }
      return nil
    }
  }

  /// Parses the list of keyrings; nil for anything else, as with a wrong password.
  private static func document(_ bytes: consuming SecretBytes) -> GuardedDocument? {
    let count = bytes.count
    guard let document = try? GuardedDocument(bytes, limit: count), document.root.kind == .array,
      document.root.elements.allSatisfy({ $0.member("type") != nil })
    else { return nil }
    return document
  }
}

/// The unencrypted part of MetaMask's state: its encrypted vault, and the accounts shown.
///
/// It may be a vault alone, the extension's or the app's complete state, or JSON in a string of another
/// document.
package struct MetaMaskState {
  /// The EVM addresses in display order, the selected one first.
  package private(set) var addresses: [EVMAddress] = []
  private var known: Set<EVMAddress> = []
  /// The names given by their owner.
  private(set) var names: [EVMAddress: String] = [:]
  /// The encrypted part.
  private(set) var vault: MetaMaskVault?
  /// Whether it contains an unencrypted seed phrase, as in old browsers.
  private(set) var hasClearSeed = false

  /// The limit of nesting in the search for states.
  private static let depth = 6
  private static let textByteCountLimit = 64 << 20

  /// Parses a document; nil if it is not MetaMask's.
  package init?(reading bytes: [UInt8]) {
    guard let root = try? JSONDocument(bytes, limit: Self.textByteCountLimit).root else { return nil }
    take(root, Self.depth)
    guard vault != nil || !addresses.isEmpty || hasClearSeed else { return nil }
  }

  /// Creates a state from separately stored controllers.
  init?(controllers: [[UInt8]]) {
    for bytes in controllers {
      guard let root = try? JSONDocument(bytes, limit: Self.textByteCountLimit).root else { continue }
      take(root, Self.depth)
      takeController(root, Self.depth)
    }
    guard vault != nil || !addresses.isEmpty else { return nil }
  }

  private mutating func take(_ value: JSONValue, _ depth: Int) {
    guard depth > 0 else { return }
    if let text = value.string { return take(text: text, depth) }
    guard value.kind == .object else { return }
    if let found = MetaMaskVault(value) {
      vault = vault ?? found
      return
    }
    if let seed = value.member("wallet-seed")?.string, !seed.isEmpty { hasClearSeed = true }
    for name in ["data", "engine", "backgroundState", "metamask", "state"] {
      if let inner = value.member(name) { take(inner, depth - 1) }
    }
    for name in ["PreferencesController", "AccountsController", "KeyringController"] {
      if let controller = value.member(name) { takeController(controller, depth - 1) }
    }
    // State logs merge all controllers' members in one object.
    takeController(value, depth)
  }

  private mutating func take(text: String, _ depth: Int) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "{"),
      let root = try? JSONDocument(bytes, limit: Self.textByteCountLimit).root
    else { return }
    take(root, depth - 1)
  }

  private mutating func takeController(_ controller: JSONValue, _ depth: Int) {
    if let text = controller.member("vault") { take(text, depth) }
    if let selected = controller.member("selectedAddress")?.string { add(selected, "") }
    if let identities = controller.member("identities"), identities.kind == .object {
      for entry in identities.children { add(entry.name, entry.member("name")?.string ?? "") }
    }
    if let accounts = controller.member("internalAccounts")?.member("accounts"), accounts.kind == .object {
      for account in accounts.children {
        add(
          account.member("address")?.string ?? "",
          account.member("metadata")?.member("name")?.string ?? "")
      }
    }
  }

  private mutating func add(_ text: String, _ name: String) {
    guard let address = try? EVMAddress(text) else { return }
    if addresses.count < 4096, known.insert(address).inserted { addresses.append(address) }
    if !name.isEmpty { names[address] = name }
  }
}

/// The addresses of the keys in a decrypted vault.
struct MetaMaskKeys {
  /// The first address of each seed phrase.
  private(set) var firsts: [EVMAddress] = []
  /// All addresses derived from its keys.
  private(set) var derived: [EVMAddress] = []
  /// Addresses whose keys are in devices or elsewhere, according to the keyrings.
  private(set) var elsewhere: Set<EVMAddress> = []
  /// The number of unreadable keyrings.
  private(set) var unreadCount = 0

  private static let accountLimit = 1000
  private static let usualPath = "m/44'/60'/0'/0"
  private static let phraseByteCountLimit = 1024

  /// Derives the keyrings' addresses.
  init(_ keyrings: GuardedDocument) throws {
    for keyring in keyrings.root.elements {
      let data = keyring.member("data")
      switch keyring.member("type")?.string {
      case "HD Key Tree": if try !addTree(data) { unreadCount += 1 }
      case "Simple Key Pair":
        let keys = data?.elements ?? []
        unreadCount += try keys.map { key in try addKey(key) ? 0 : 1 }.reduce(0, +)
      default: addElsewhere(data)
      }
    }
  }

  private mutating func addTree(_ data: GuardedValue?) throws -> Bool {
    guard let data, let phrase = try Self.phrase(data.member("mnemonic")),
      let path = DerivationPath(data.member("hdPath")?.string ?? Self.usualPath)
    else { return false }
    let count = data.member("numberOfAccounts")?.number.flatMap { Int($0) } ?? 1
    let seed = try SeedPhrase.seed(words: phrase, passphrase: try SecretBytes(count: 0))
    let branch = try ExtendedPrivateKey(seed: seed).descendant(path).publicKey()
    for index in 0..<UInt32(min(max(count, 1), Self.accountLimit)) {
      let key = try branch.child(DerivationStep(number: index)).key
      guard let address = try KeyAddresses(of: key, on: .secp256k1).evm else { continue }
      if index == 0 { firsts.append(address) }
      derived.append(address)
    }
    return true
  }

  /// Returns a phrase, stored as text or as its bytes in a list or, in some versions, an object.
  private static func phrase(_ value: GuardedValue?) throws -> SecretBytes? {
    guard let value else { return nil }
    if let text = try value.secret() { return try text.bytes.copy(0..<text.bytes.count) }
    let numbers = value.kind == .object ? value.members.map(\.value) : value.elements
    guard 1...phraseByteCountLimit ~= numbers.count else { return nil }
    var bytes = try SecretBytes(count: numbers.count)
    let isRead = bytes.withMutableBytes { bytes in
      for (index, number) in numbers.enumerated() {
        guard let byte = number.number.flatMap({ UInt8($0) }) else { return false }
        bytes[index] = byte
      }
      return true
    }
    guard isRead else { return nil }
    return bytes
  }

  private mutating func addKey(_ value: GuardedValue) throws -> Bool {
    guard let text = try value.secret(), let scalar = try Self.scalar(text.bytes),
      CurveScalar.isKey(scalar, on: .secp256k1)
    else { return false }
    let point = try CurvePoint.multiplyBase(scalar, on: .secp256k1)
    guard let address = try KeyAddresses(of: point, on: .secp256k1).evm else { return false }
    derived.append(address)
    return true
  }

  /// Returns the key of 64 hexadecimal digits, with or without `0x`.
  private static func scalar(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    let start = text.count == 66 ? 2 : 0
    guard text.count == 64 || text.count == 66 else { return nil }
    var key = try SecretBytes(count: 32)
    let isRead = text.withBytes { text in
      key.withMutableBytes { key in
        for index in 0..<32 {
          guard let high = digit(text[start + 2 * index]), let low = digit(text[start + 2 * index + 1]) else {
            return false
          }
          key[index] = high << 4 | low
        }
        return true
      }
    }
    guard isRead else { return nil }
    return key
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x41 + 10
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }

  /// Adds the accounts of a device's keyring.
  private mutating func addElsewhere(_ data: GuardedValue?) {
    for account in data?.member("accounts")?.elements ?? [] {
      if let address = account.string.flatMap({ try? EVMAddress($0) }) { elsewhere.insert(address) }
    }
  }
}
