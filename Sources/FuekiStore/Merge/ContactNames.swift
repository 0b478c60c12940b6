internal import FoundationEssentials
internal import FuekiWallet

/// The contacts that a destination has, by what people call them.
///
/// A new contact of a name that is known, and of another address, may be theirs; or it is how somebody means to be paid
/// in their place.
struct ContactNames {
  private var contacts: [String: [Contact]] = [:]

  /// Begins with those that are there.
  init(_ all: [Contact]) {
    for contact in all {
      guard let name = Self.plain(contact.name), !contact.address.isEmpty else { continue }
      contacts[name, default: []].append(contact)
    }
  }

  /// One that is there, has the name of a new one, and is paid by another address on the same chain; nil where one of
  /// the name has the same address.
  func paidOtherwise(than contact: Contact) -> Contact? {
    guard let name = Self.plain(contact.name), !contact.address.isEmpty else { return nil }
    let known = (contacts[name] ?? []).filter { Self.couldBeOneChain($0, contact) }
    let address = NaturalKey.caseless(contact.address)
    return known.contains { NaturalKey.caseless($0.address) == address } ? nil : known.first
  }

  /// Whether an address of the one could be meant for the chain of the other: all chains of the EVM have one.
  private static func couldBeOneChain(_ a: Contact, _ b: Contact) -> Bool {
    guard a.chainFamily == b.chainFamily || a.chainFamily.isEmpty || b.chainFamily.isEmpty else {
      return false
    }
    return ChainFamily(a.chainFamily) == .evm || ChainFamily(b.chainFamily) == .evm
      || a.chainID == b.chainID || a.chainID.isEmpty || b.chainID.isEmpty
  }

  /// A name as it looks: without what is not seen, and in small letters; nil where nothing is left.
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
