internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// Ids for records from files without ids, equal whenever the same file is read.
enum ForeignNames {
  /// Returns an id as packed text: a digest of the kind and the record's identity within it.
  static func packed(_ kind: String, _ parts: String...) -> Data {
    PackedText.pack(Hex.encode(bytes(kind, parts)))
  }

  /// Returns a 16-byte id for a secret by its owner and purpose, never by its content.
  static func secret(_ kind: String, _ parts: String...) -> [UInt8] { bytes(kind, parts) }

  /// Returns a 16-byte id for a random seed without any information about its owner.
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
  /// Records a problem of a record that is still included.
  mutating func note(_ sentence: String, _ section: Section, _ id: Data) {
    var problem = RecordProblem()
    problem.section = UInt32(section.rawValue)
    problem.id = id
    problem.problem = sentence
    problems.append(problem)
  }

  /// Adds a wallet and its problems.
  mutating func add(_ wallet: Wallet) {
    guard admits(wallet) else { return }
    for sentence in RecordValidation.problems(of: wallet) { note(sentence, .wallets, wallet.id) }
    wallets.append(wallet)
  }

  /// Adds a contact and its problems.
  mutating func add(_ contact: Contact) {
    guard admits(contact) else { return }
    for sentence in RecordValidation.problems(of: contact) {
      note("\(contact.name): \(sentence)", .contacts, contact.id)
    }
    contacts.append(contact)
  }

  /// Adds a contact, unless the source had an identical one before.
  ///
  /// One that differs, such as in its notes, gets its own id.
  mutating func add(_ contact: Contact, besides known: inout [Data: Contact]) {
    guard !budget.isSpent, let new = contact.unlike(&known) else { return }
    add(new)
  }

  /// Adds a setting.
  ///
  /// If its key is taken with another value, the key gets a suffix.
  mutating func add(setting key: String, _ json: String, taken: inout SettingKeys) {
    var setting = Setting()
    guard !budget.isSpent, let free = taken.take(key, for: json) else { return }
    setting.key = free
    setting.value = json
    if admits(setting) { settings.append(setting) }
  }
}

extension Contact {
  /// Returns the contact, with an id of its own if a known one with its id differs; nil if it is known.
  func unlike(_ known: inout [Data: Contact]) -> Contact? {
    var contact = self
    if let other = known[id], other != contact {
      let bytes: [UInt8] = (try? contact.serializedBytes()) ?? []
      contact.id = ForeignNames.packed("another contact", Hex.encode(SHA256.hash(bytes.span).bytes))
    }
    guard known[contact.id] == nil else { return nil }
    known[contact.id] = contact
    return contact
  }
}

/// Maps wallets' names for chains to families and chain ids.
enum ChainNames {
  private static let evm: [String: String] = [
    "ethereum": "1", "binance-smart-chain": "56", "bsc": "56", "polygon-pos": "137", "polygon": "137",
    "avalanche": "43114", "optimistic-ethereum": "10", "optimism": "10", "arbitrum-one": "42161",
    "arbitrum": "42161", "gnosis": "100", "xdai": "100", "fantom": "250", "base": "8453", "zksync": "324",
  ]

  /// Returns the family and the chain's id.
  ///
  /// An unknown name is its own family.
  static func chain(_ name: String) -> (family: String, id: String) {
    if let id = evm[name] { return (ChainFamily.evm.name, id) }
    if name.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), !name.isEmpty { return (ChainFamily.evm.name, name) }
    if let network = BitcoinNetwork.named(name) { return (ChainFamily.bitcoin.name, network.name) }
    return (name, name)
  }

  /// Returns the chain of an address; empty if it is ambiguous or unknown.
  static func chain(ofAddress address: String) -> (family: String, id: String) {
    if (try? EVMAddress(address)) != nil { return (ChainFamily.evm.name, "") }
    // Test networks share address formats, so an ambiguous address yields no chain id.
    let networks = BitcoinNetwork.all.filter { $0.problem(with: address) == nil }
    let isAmbiguous = Set(networks.map(\.name)).count > 1
    guard let network = networks.first else { return ("", "") }
    return (ChainFamily.bitcoin.name, isAmbiguous && network.name != "bitcoin" ? "" : network.name)
  }
}

/// The keys of a source's settings, with their values.
///
/// The second setting with a key gets a suffix, later ones also a number, so that many variants of one
/// setting cost no more than their length.
struct SettingKeys {
  private var taken: Set<[UInt8]> = []
  /// The values of each key used by the source, and the number that needed other keys.
  private var said: [[UInt8]: (values: Set<[UInt8]>, marks: Int)] = [:]

  /// Returns the key for a setting's value; nil for a duplicate.
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
