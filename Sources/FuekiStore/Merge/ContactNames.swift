internal import FoundationEssentials
internal import FuekiWallet

/// The existing contacts by name.
///
/// A new contact with a known name but another address may be legitimate, or an attempt to redirect payments.
struct ContactNames {
  private var contacts: [String: [Contact]] = [:]

  /// Starts with the existing contacts.
  init(_ all: [Contact]) {
    for contact in all {
      guard let name = Self.plain(contact.name), !contact.address.isEmpty else { continue }
      contacts[name, default: []].append(contact)
    }
  }

  /// Returns an existing contact with the same name but another address on the same chain.
  ///
  /// Nil if a contact with the name has the same address.
  func paidOtherwise(than contact: Contact) -> Contact? {
    guard let name = Self.plain(contact.name), !contact.address.isEmpty else { return nil }
    let known = (contacts[name] ?? []).filter { Self.couldBeOneChain($0, contact) }
    let address = NaturalKey.caseless(contact.address)
    return known.contains { NaturalKey.caseless($0.address) == address } ? nil : known.first
  }

  /// Whether both could be addresses on the same chain.
  ///
  /// All EVM chains share addresses.
  private static func couldBeOneChain(_ a: Contact, _ b: Contact) -> Bool {
    guard a.chainFamily == b.chainFamily || a.chainFamily.isEmpty || b.chainFamily.isEmpty else {
      return false
    }
    return ChainFamily(a.chainFamily) == .evm || ChainFamily(b.chainFamily) == .evm
      || a.chainID == b.chainID || a.chainID.isEmpty || b.chainID.isEmpty
  }

  /// Returns a name as displayed, without invisible characters and in lower case; nil if nothing remains.
  private static func plain(_ name: String) -> String? {
    let seen = name.unicodeScalars.filter { scalar in
      let properties = scalar.properties
      if properties.isWhitespace { return true }
      guard !scalar.isASCII else { return 0x20..<0x7F ~= scalar.value }
      return !properties.isDefaultIgnorableCodePoint
        && ![.format, .control].contains(properties.generalCategory)
    }
    let words = String(String.UnicodeScalarView(seen)).lowercased().split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
