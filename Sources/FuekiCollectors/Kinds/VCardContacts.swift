internal import FoundationEssentials
internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let vCard = CollectorKind(
    VCardContacts.kind, "contacts in vCards of version 3.0 or 4.0", reach: .file, guide: .contacts,
    fileNames: WalletNames(certain: ["*.vcf"]), limit: ImportLimits.textByteCount, what: "vCard",
    recognises: { $0.contains("BEGIN:VCARD") || $0.contains("begin:vcard") },
    look: { found, asked in
      .wallet(try Kept(VCardContacts.records(found.publicBytes()), format: "vcard", asked))
    })
}

/// Contacts with blockchain addresses in a vCard file of version 3.0 or 4.0.
///
/// An address is a `URL` or `IMPP` with a scheme such as `bitcoin:` or `ethereum:`, a property named `X-`
/// with a chain or coin, or a line in the `NOTE`. Each becomes one contact. People without an address are
/// listed and skipped. Lines without a field are kept with a card's first contact.
package enum VCardContacts {
  static let kind = "vcard"

  /// Parses a complete file.
  package static func records(_ bytes: [UInt8]) throws(ForeignFileError) -> ImportedRecords {
    var records = ImportedRecords()
    records.budget.read(bytes.count)
    var known: [Data: Contact] = [:]
    var card: [VCardLine]?
    var count = 0
    try VCardLine.forEach(in: TextLines.text(bytes)) { (line) throws(ForeignFileError) in
      switch (line.name, line.value.uppercased()) {
      case ("BEGIN", "VCARD"):
        if card != nil { records.exclude("card \(count)", "it does not end", loss: .possible) }
        card = []
        count += 1
      case ("END", "VCARD"):
        guard let whole = card else { return }
        add(VCard(whole), count, &records, &known)
        card = nil
      default:
        card?.append(line)
        guard card?.count ?? 0 <= ImportLimits.linesOfCard else {
          throw .overLimit(reason: "a vCard has more than \(ImportLimits.linesOfCard) lines")
        }
      }
    }
    try records.checkLimits()
    guard count > 0 else { throw .notThisFormat(reason: "no vCard is in it") }
    if card != nil { records.exclude("card \(count)", "it does not end", loss: .possible) }
    return records
  }

  private static func add(
    _ card: VCard, _ number: Int, _ records: inout ImportedRecords, _ known: inout [Data: Contact]
  ) {
    let name = card.name.isEmpty ? "card \(number)" : card.name
    guard ["3.0", "4.0"].contains(card.version) else {
      return records.exclude(name, "a vCard of version \"\(card.version.prefix(10))\"", loss: .possible)
    }
    let addresses = card.addresses
    guard !addresses.isEmpty else {
      return records.exclude(name, "no address of a chain is in it", loss: .possible)
    }
    var described = Contact()
    described.name = card.name
    described.notes = card.note
    if let time = card.revision { described.updatedAt = time }
    let identity = card.uid.isEmpty ? card.name : card.uid
    for (index, address) in addresses.enumerated() {
      var contact = described
      // Extra lines are kept, but only once per card.
      if index == 0 { contact.extra = card.extra }
      contact.id = ForeignNames.packed("vcard contact", identity, address.address)
      address.fill(&contact)
      records.add(contact, besides: &known)
    }
  }
}

/// A vCard.
private struct VCard {
  private let lines: [VCardLine]

  private static let schemes = [
    "bitcoin": "bitcoin", "ethereum": "ethereum", "litecoin": "litecoin", "dogecoin": "dogecoin",
    "monero": "monero", "solana": "solana", "lightning": "lightning",
  ]
  private static let symbols = [
    "BTC": "bitcoin", "BITCOIN": "bitcoin", "ETH": "ethereum", "ETHEREUM": "ethereum", "LTC": "litecoin",
    "LITECOIN": "litecoin", "DOGE": "dogecoin", "DOGECOIN": "dogecoin", "XMR": "monero", "MONERO": "monero",
    "SOL": "solana", "SOLANA": "solana",
  ]

  init(_ lines: [VCardLine]) { self.lines = lines }

  private func first(_ name: String) -> VCardLine? { lines.first { $0.name == name } }

  var version: String { first("VERSION")?.text ?? "" }
  var uid: String { first("UID")?.text ?? "" }
  var note: String { lines.filter { $0.name == "NOTE" }.map(\.text).joined(separator: "\n") }

  var name: String {
    if let text = first("FN")?.text, !text.isEmpty { return text }
    let parts = first("N")?.components ?? []
    // The order is family name, given name, additional names, prefixes, suffixes.
    let order = [3, 1, 2, 0, 4].filter { $0 < parts.count }.map { parts[$0] }
    return order.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The time of the card's last change.
  ///
  /// Version 3.0 may omit the date's separators.
  var revision: Int64? {
    guard let text = first("REV")?.text else { return nil }
    if let time = Timestamp(text) { return time.microseconds }
    let digits = Array(text)
    guard digits.count == 16, digits[8] == "T", digits[15] == "Z" else { return nil }
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return Timestamp(
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")?
      .microseconds
  }

  /// The lines without a field in a contact, such as telephone numbers, unchanged.
  var extra: [Extra] {
    let read: Set<String> = ["VERSION", "FN", "NOTE", "REV", "PRODID"]
    let rest = lines.filter { line in
      !read.contains(line.name) && (line.name != "N" || !(first("FN")?.text ?? "").isEmpty)
        && Self.uri(line.text) == nil && Self.chain(ofProperty: line.name) == nil
    }
    guard !rest.isEmpty else { return [] }
    return [
      Extra("vcard", json: "[" + rest.map { JSONText.quoted($0.source) }.joined(separator: ", ") + "]")
    ]
  }

  var addresses: [ContactAddress] {
    var found: [ContactAddress] = []
    var known: Set<String> = []
    func add(_ address: String, _ chain: String) {
      guard !address.isEmpty, known.insert(address).inserted else { return }
      found.append(ContactAddress(address, chain: chain))
    }
    for line in lines {
      if let (scheme, rest) = Self.uri(line.text) {
        add(rest, scheme)
      } else if let chain = Self.chain(ofProperty: line.name) {
        add(ContactAddress.trimmed(line.text), chain)
      } else if line.name == "NOTE" {
        for part in line.text.split(whereSeparator: \.isNewline) { Self.scan(String(part), add) }
      }
    }
    return found
  }

  /// Returns the chain and address of a payment URI.
  private static func uri(_ text: String) -> (chain: String, address: String)? {
    guard let colon = text.firstIndex(of: ":"), let chain = schemes[text[..<colon].lowercased()] else {
      return nil
    }
    let rest = text[text.index(after: colon)...].drop { $0 == "/" }
    let address = rest.prefix { !"?@/".contains($0) }
    // EIP-681's prefix before an address marks a payment.
    return (chain, String(address.hasPrefix("pay-") ? address.dropFirst(4) : address))
  }

  /// Returns the chain in an extension's name, such as `X-BITCOIN` or `X-ETH-ADDRESS`.
  private static func chain(ofProperty name: String) -> String? {
    guard name.hasPrefix("X-") else { return nil }
    let words = name.dropFirst(2).split(separator: "-").map(String.init)
    return words.lazy.compactMap { symbols[$0] }.first
  }

  /// Scans a note's line for an address or payment URI, possibly after a coin's name and a colon.
  private static func scan(_ line: String, _ add: (_ address: String, _ chain: String) -> Void) {
    let text = ContactAddress.trimmed(line)
    if let (chain, address) = uri(text), !address.contains(" ") {
      return add(ContactAddress.trimmed(address), chain)
    }
    let parts = text.split(separator: ":", maxSplits: 1).map { ContactAddress.trimmed(String($0)) }
    if parts.count == 2, let chain = symbols[parts[0].uppercased()] {
      guard !parts[1].contains(" ") else { return }
      return add(parts[1], chain)
    }
    // Without a name before it, only a text with a checksum is accepted as an address.
    if !ChainNames.chain(ofAddress: text).family.isEmpty { add(text, "") }
  }
}

/// The lines of vCards, unfolded and parsed; see RFC 6350, section 3, and RFC 2426 for version 3.0.
struct VCardLine: Equatable, Sendable {
  /// The name in upper case, without its group.
  let name: String
  /// The parameters, with names in upper case.
  let parameters: [String: [String]]
  /// The escaped value.
  let value: String
  /// The whole line, unfolded.
  let source: String

  /// Unfolds a UTF-8 text and passes its lines to `body`, one by one, skipping lines without a colon.
  static func forEach(
    in text: [UInt8], _ body: (VCardLine) throws(ForeignFileError) -> Void
  ) throws(ForeignFileError) {
    let limit = ImportLimits.lineByteCount
    var whole: [UInt8] = []
    // Folding may split a character's bytes, which are complete only at the line's end.
    func give(_ line: [UInt8]) throws(ForeignFileError) {
      if let line = VCardLine(String(decoding: line, as: UTF8.self)) { try body(line) }
    }
    try TextLines.forEachLine(of: text) { (line) throws(ForeignFileError) in
      guard !line.isEmpty else { return }
      if let first = line.first, first == 0x20 || first == 0x09, !whole.isEmpty {
        whole += line.dropFirst()
      } else {
        if !whole.isEmpty { try give(whole) }
        whole = Array(line)
      }
      guard whole.count <= limit else {
        throw ForeignFileError.overLimit(reason: "a line of the vCard is longer than \(limit) bytes")
      }
    }
    if !whole.isEmpty { try give(whole) }
  }

  private init?(_ line: String) {
    var parts: [String] = [""]
    var isQuoted = false
    var value: Substring?
    for index in line.indices {
      let character = line[index]
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted, character == ":" {
        value = line[line.index(after: index)...]
        break
      }
      if !isQuoted, character == ";" {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    guard let value else { return nil }
    source = line
    name = (parts[0].split(separator: ".").last.map(String.init) ?? "").uppercased()
    var parameters: [String: [String]] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let values = (pair.last ?? "").split(separator: ",").map { $0.filter { $0 != "\"" } }
      // Version 2.1 and many cards of version 3.0 have types without a name.
      parameters[pair.count == 2 ? pair[0].uppercased() : "TYPE", default: []] += values
    }
    self.parameters = parameters
    self.value = String(value)
  }

  /// The value as text, without escapes.
  var text: String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        text.append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// The components of a structured value, such as a name's, without escapes.
  var components: [String] {
    var parts: [String] = [""]
    var isEscaped = false
    for character in value {
      if isEscaped {
        parts[parts.count - 1].append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ";" {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
