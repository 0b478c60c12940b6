internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// Names of records that come from files which do not name them, the same for the same file each time.
enum ForeignNames {
  /// An id as text: a digest of the kind, and of what tells the record from others of the kind.
  static func text(_ kind: String, _ parts: String...) -> String { Hex.encode(bytes(kind, parts)) }

  /// An id as packed text.
  static func packed(_ kind: String, _ parts: String...) -> Data {
    PackedText.pack(Hex.encode(bytes(kind, parts)))
  }

  /// An id of 16 bytes for a secret, by whose it is and what it is for, never by what it says.
  static func secret(_ kind: String, _ parts: String...) -> [UInt8] { bytes(kind, parts) }

  /// An id of 16 bytes for a random seed beside which nothing says whose it is.
  static func secret(_ seed: SharedSecret) -> [UInt8] {
    let label = Array("fueki/1 foreign seed\0".utf8)
    let digest = seed.bytes.withBytes { SHA256.hash(label.span, $0) }
    return Array(digest.bytes.prefix(16))
  }

  private static func bytes(_ kind: String, _ parts: [String]) -> [UInt8] {
    var text = Array("fueki/1 foreign \(kind)".utf8)
    for part in parts { text += [0] + Array(part.utf8) }
    return Array(SHA256.hash(text.span).bytes.prefix(16))
  }
}

extension ImportedRecords {
  /// Notes what is wrong with a record that is in all the same.
  mutating func note(_ sentence: String, _ section: Section, _ id: Data) {
    var problem = RecordProblem()
    problem.section = UInt32(section.rawValue)
    problem.id = id
    problem.problem = sentence
    problems.append(problem)
  }

  /// Adds a wallet, with what is wrong with it.
  mutating func add(_ wallet: Wallet) {
    guard admits(wallet) else { return }
    for sentence in RecordValidation.problems(of: wallet) { note(sentence, .wallets, wallet.id) }
    wallets.append(wallet)
  }

  /// Adds a contact, with what is wrong with it.
  mutating func add(_ contact: Contact) {
    guard admits(contact) else { return }
    for sentence in RecordValidation.problems(of: contact) {
      note("\(contact.name): \(sentence)", .contacts, contact.id)
    }
    contacts.append(contact)
  }

  /// Adds a contact, unless the source has given the very same before; one that says something else besides, such as
  /// other notes, is added under an id of its own.
  mutating func add(_ contact: Contact, besides known: inout [Data: Contact]) {
    guard !budget.isSpent else { return }
    var contact = contact
    if let other = known[contact.id], other != contact {
      let bytes: [UInt8] = (try? contact.serializedBytes()) ?? []
      contact.id = ForeignNames.packed("another contact", Hex.encode(SHA256.hash(bytes.span).bytes))
    }
    guard known[contact.id] == nil else { return }
    known[contact.id] = contact
    add(contact)
  }

  /// Adds a setting; where another has its key and says something else, under one with a mark behind it.
  mutating func add(setting key: String, _ json: String, taken: inout SettingKeys) {
    var setting = Setting()
    guard !budget.isSpent, let free = taken.take(key, for: json) else { return }
    setting.key = free
    setting.value = json
    if admits(setting) { settings.append(setting) }
  }
}

/// The keys of the settings that a source has given, each with what it says.
///
/// The second that has a key gets a mark behind it, the others a number behind that, so that a file which says the
/// same thing over and over in other words costs no more than its own length.
struct SettingKeys {
  private var taken: Set<[UInt8]> = []
  /// What was said under each key that a source has used, and how many of these needed another one.
  private var said: [[UInt8]: (values: Set<[UInt8]>, marks: Int)] = [:]

  /// The key for what a source says under one; nil where that was said before.
  mutating func take(_ key: String, for json: String) -> String? {
    let spelt = Array(key.utf8)
    guard said[spelt, default: (values: [], marks: 0)].values.insert(Array(json.utf8)).inserted else {
      return nil
    }
    var free = key
    while !taken.insert(Array(free.utf8)).inserted {
      said[spelt]?.marks += 1
      let marks = said[spelt]?.marks ?? 1
      free = key + (marks == 1 ? "'" : "'\(marks)")
    }
    return free
  }
}

/// The families and ids of chains by the names that wallets have for them.
enum ChainNames {
  private static let evm: [String: String] = [
    "ethereum": "1", "binance-smart-chain": "56", "bsc": "56", "polygon-pos": "137", "polygon": "137",
    "avalanche": "43114", "optimistic-ethereum": "10", "optimism": "10", "arbitrum-one": "42161",
    "arbitrum": "42161", "gnosis": "100", "xdai": "100", "fantom": "250", "base": "8453", "zksync": "324",
  ]

  /// The family and the chain's id; an unknown name is its own family.
  static func chain(_ name: String) -> (family: String, id: String) {
    if let id = evm[name] { return (ChainFamily.evm.name, id) }
    if name.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), !name.isEmpty { return (ChainFamily.evm.name, name) }
    if let network = BitcoinNetwork.named(name) { return (ChainFamily.bitcoin.name, network.name) }
    return (name, name)
  }

  /// What an address alone tells of its chain; empty where it could be of several, or of none that is known.
  static func chain(ofAddress address: String) -> (family: String, id: String) {
    if (try? EVMAddress(address)) != nil { return (ChainFamily.evm.name, "") }
    // Testing networks share their addresses, and what is not distinct says nothing.
    let networks = BitcoinNetwork.all.filter { $0.problem(with: address) == nil }
    let isAmbiguous = Set(networks.map(\.name)).count > 1
    guard let network = networks.first else { return ("", "") }
    return (ChainFamily.bitcoin.name, isAmbiguous && network.name != "bitcoin" ? "" : network.name)
  }
}
