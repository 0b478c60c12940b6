internal import FoundationEssentials
internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let csvContacts = CollectorKind(
    CSVContacts.kind, "contacts in a CSV file with a column \"address\"", reach: .file, guide: .contacts,
    fileNames: WalletNames(possible: ["*.csv"]), limit: ImportLimits.tableByteCount,
    what: "table of contacts", recognises: { CSVContacts.isLikely($0) },
    look: { found, asked in
      .wallet(try Kept(CSVContacts.records(found.publicBytes()), format: "csv", asked))
    })
}

/// Contacts in a CSV file with column names in its first row.
///
/// | field | names, in any case |
/// |---|---|
/// | name | name, label, contact, full name, display name |
/// | address | address, wallet address, crypto address, account, public key |
/// | chain | chain, chain id, chainid, network, blockchain, coin, currency |
/// | notes | notes, note, memo, comment, description |
/// | created | created, created at, createdat, date |
///
/// An address is required; other columns go into the record's `extra`.
package enum CSVContacts {
  static let kind = "csv-contacts"

  /// Whether the first line looks like column names that include an address.
  static func isLikely(_ bytes: Span<UInt8>) -> Bool {
    guard let line = TextLines.firstLine(of: bytes.copied()), line.count <= 4096,
      let row = (try? CSVTable(TextLines.text(Array(line))))?.rows.first
    else { return false }
    return row.map(Field.init).contains(.address)
  }

  /// Parses a complete file.
  package static func records(_ bytes: [UInt8]) throws(ForeignFileError) -> ImportedRecords {
    let rows = try CSVTable(TextLines.text(bytes)).rows
    guard let header = rows.first else { throw .notThisFormat(reason: "the CSV file has no rows") }
    let fields = header.map(Field.init)
    guard fields.contains(.address) else {
      throw .notThisFormat(reason: "no column of the CSV file is called \"address\"")
    }
    for field in Field.named where fields.filter({ $0 == field }).count > 1 {
      throw .notThisFormat(reason: "two columns of the CSV file are for the \(field.name)")
    }
    var records = ImportedRecords()
    records.budget.read(bytes.count)
    var known: [Data: Contact] = [:]
    for (index, row) in rows.dropFirst().enumerated() {
      guard row.count <= fields.count else {
        records.exclude("row \(index + 2)", "it has more columns than the first", loss: .possible)
        continue
      }
      let contact = contact(row, fields)
      guard !contact.address.isEmpty else {
        records.exclude("row \(index + 2)", "it has no address", loss: .possible)
        continue
      }
      records.add(contact, besides: &known)
    }
    return try records.withinLimits()
  }

  private enum Field: Equatable {
    case fullName, address, chain, notes, created
    case other(String)

    static let named: [Field] = [.fullName, .address, .chain, .notes, .created]

    var name: String {
      switch self {
      case .fullName: "name"
      case .address: "address"
      case .chain: "chain"
      case .notes: "notes"
      case .created: "date"
      case .other(let name): name
      }
    }

    init(_ title: String) {
      let plain = title.lowercased().map { $0 == "_" || $0 == "-" ? " " : $0 }
      switch String(plain).split(separator: " ").joined(separator: " ") {
      case "name", "label", "contact", "full name", "display name": self = .fullName
      case "address", "wallet address", "crypto address", "account", "public key": self = .address
      case "chain", "chain id", "chainid", "network", "blockchain", "coin", "currency": self = .chain
      case "notes", "note", "memo", "comment", "description": self = .notes
      case "created", "created at", "createdat", "date": self = .created
      default: self = .other(title)
      }
    }
  }

  private static func contact(_ row: [String], _ fields: [Field]) -> Contact {
    var contact = Contact()
    var address = ""
    var chain = ""
    for (field, text) in zip(fields, row) {
      switch field {
      case .fullName: contact.name = text
      case .address: address = ContactAddress.trimmed(text)
      case .chain: chain = ContactAddress.trimmed(text)
      case .notes: contact.notes = text
      case .created:
        if let time = Timestamp(text) {
          contact.createdAt = time.microseconds
        } else if !text.isEmpty {
          contact.extra.append(Extra("created", json: JSONText.quoted(text)))
        }
      case .other(let name):
        if !text.isEmpty { contact.extra.append(Extra(name, json: JSONText.quoted(text))) }
      }
    }
    ContactAddress(address, chain: chain).fill(&contact)
    contact.id = ForeignNames.packed("csv contact", contact.name, address, chain)
    return contact
  }
}

/// An address with hints about its chain.
struct ContactAddress {
  let address: String
  let family: String
  let chainID: String

  init(_ address: String, chain: String) {
    self.address = address
    let told = ChainNames.chain(ofAddress: address)
    guard !chain.isEmpty else {
      (family, chainID) = told
      return
    }
    let symbols = [
      "btc": "bitcoin", "eth": "ethereum", "ltc": "litecoin", "doge": "dogecoin", "xbt": "bitcoin",
    ]
    let name = chain.lowercased()
    (family, chainID) = ChainNames.chain(symbols[name] ?? name)
  }

  func fill(_ contact: inout Contact) {
    contact.address = PackedText.pack(address)
    contact.chainFamily = family
    contact.chainID = chainID
  }

  static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// The rows of a CSV file; see RFC 4180.
///
/// The separator is a comma, a semicolon or a tab, whichever is most frequent outside quotes in the first
/// row. Lines may end with CR, LF or both.
struct CSVTable {
  private static let quote = UInt8(ascii: "\"")
  private static let columnLimit = ImportLimits.columnsOfTable

  private(set) var rows: [[String]] = []

  /// Parses a complete UTF-8 text.
  init(_ text: [UInt8]) throws(ForeignFileError) {
    let separator = Self.separator(text)
    var row: [String] = []
    var field: [UInt8] = []
    var position = 0
    var isQuoted = false
    func append(_ row: inout [String], _ field: inout [UInt8]) throws(ForeignFileError) {
      guard row.count < Self.columnLimit else {
        throw ForeignFileError.overLimit(reason: "a row has more than \(Self.columnLimit) columns")
      }
      row.append(String(decoding: field, as: UTF8.self))
      field = []
    }
    while position < text.count {
      let byte = text[position]
      position += 1
      if isQuoted {
        guard byte == Self.quote else {
          field.append(byte)
          continue
        }
        // Two quotes inside a quoted field mean one.
        if position < text.count, text[position] == Self.quote {
          field.append(Self.quote)
          position += 1
        } else {
          isQuoted = false
        }
      } else if byte == Self.quote, field.isEmpty {
        isQuoted = true
      } else if byte == separator {
        try append(&row, &field)
      } else if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, position < text.count, text[position] == 0x0A { position += 1 }
        try append(&row, &field)
        add(row)
        row = []
      } else {
        field.append(byte)
      }
    }
    guard !isQuoted else { throw .notThisFormat(reason: "a quoted field of the CSV file does not end") }
    if !field.isEmpty || !row.isEmpty {
      try append(&row, &field)
      add(row)
    }
  }

  private mutating func add(_ row: [String]) {
    if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
  }

  private static func separator(_ text: [UInt8]) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in text {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D { break }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let most = candidates.max { counts[$0, default: 0] < counts[$1, default: 0] }
    return most.flatMap { counts[$0, default: 0] > counts[candidates[0], default: 0] ? $0 : nil }
      ?? candidates[0]
  }
}
