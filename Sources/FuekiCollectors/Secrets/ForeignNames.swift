internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// Ids for records from files without ids, equal whenever the same file is read.
enum ForeignNames {
  /// Returns an id as text: a digest of the kind and the record's identity within it.
  static func text(_ kind: String, _ parts: String...) -> String { Hex.encode(bytes(kind, parts)) }

  /// Returns an id as packed text.
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
