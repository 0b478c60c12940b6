import FuekiBackup
import FuekiCollectors
import FuekiWallet
import TestSupport
import Testing

private let bitcoin = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
private let ethereum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

private func kind(_ text: String) throws -> String? {
  let folder = try TemporaryDirectory()
  try folder.write(Array(text.utf8), to: "file")
  return try CollectorKind.recognised(at: folder.path("file"))?.name
}

@Suite struct `Contacts in CSV files` {
  private func read(_ text: String) throws -> ImportedRecords { try CSVContacts.records(Array(text.utf8)) }

  @Test(arguments: [",", ";", "\t"], ["\n", "\r\n", "\r"])
  func `separators and line ends are found out`(separator: String, end: String) throws {
    let rows = [
      ["Name", "Wallet_Address", "Chain", "Notes", "Tag"],
      ["\"Zoë \"\"Z\"\" \(separator) Söhne\"", ethereum, "ETH", "\"two\(end)lines\"", "x"],
      ["Bob", " \(bitcoin) ", "", "", ""], ["Nobody", "", "", "", ""],
    ]
    let text = rows.map { $0.joined(separator: separator) }.joined(separator: end)
    #expect(try kind(text) == "csv-contacts")
    let records = try read("\u{FEFF}" + text)
    #expect(records.contacts.map(\.name) == ["Zoë \"Z\" \(separator) Söhne", "Bob"])
    #expect(records.contacts.map(\.chainID) == ["1", "bitcoin"])
    #expect(records.contacts[0].notes == "two\(end)lines")
    #expect(records.contacts[0].extra.map(\.json) == ["\"x\""])
    #expect(PackedText.text(records.contacts[1].address) == bitcoin)
    #expect(records.excluded.map(\.what) == ["row 4"] && !records.isComplete)
  }

  @Test func `a row of too many columns is named, and the same contact comes once`() throws {
    let records = try read("address,name\n\(bitcoin),A\n\(bitcoin),A\n\(bitcoin),A,x,y\n")
    #expect(records.contacts.count == 1 && !records.isComplete)
  }

  @Test func `the same contact with other notes is not lost`() throws {
    let text = "address,name,notes\n\(bitcoin),A,home\n\(bitcoin),A,work\n\(bitcoin),A,home\n"
    let records = try read(text)
    #expect(records.contacts.map(\.notes) == ["home", "work"])
    #expect(Set(records.contacts.map(\.id)).count == 2)
    #expect(try read(text).contacts == records.contacts)
  }

  @Test func `an address that its chain does not have is kept and said`() throws {
    let records = try read("address,chain,created\n\(bitcoin.dropLast())x,bitcoin,2026-01-02T03:04:05Z\n")
    #expect(records.contacts.count == 1 && records.problems.count == 1)
    #expect(records.contacts[0].createdAt == 1_767_323_045_000_000)
  }

  @Test(arguments: [
    "", "name,notes\nA,b\n", "address,Address\na,b\n", "address,name\n\"a,b\n", "\u{0}",
    "address" + String(repeating: ",x", count: 300),
  ])
  func `a file that is none is refused`(text: String) {
    #expect(throws: ForeignFileError.self) { try read(text) }
  }

  @Test func `UTF-16 is named as such`() {
    let error = #expect(throws: ForeignFileError.self) {
      try CSVContacts.records([0xFF, 0xFE, 0x61, 0, 0x2C, 0xD8])
    }
    #expect(error?.sentence.contains("UTF-16") == true)
  }

  @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
  func `a table that a spreadsheet wrote as UTF-16 is read`(mark: [UInt8]) throws {
    let units = Array("name\taddress\r\nZoë 😀\t\(ethereum)\r\n".utf16)
    let bytes = units.flatMap { unit in
      let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return mark[0] == 0xFF ? pair : pair.reversed()
    }
    let folder = try TemporaryDirectory()
    try folder.write(mark + bytes, to: "table.csv")
    let path = folder.path("table.csv")
    #expect(try CollectorKind.recognised(at: path)?.name == "csv-contacts")
    let records = try CollectorKind(named: "csv-contacts").source(at: path).read(CollectionRequest())
      .holdingFiles()
    #expect(records.contacts.map(\.name) == ["Zoë 😀"])
  }
}

@Suite struct `Contacts in vCards` {
  private func read(_ text: String) throws -> ImportedRecords { try VCardContacts.records(Array(text.utf8)) }

  private static let cards = """
    BEGIN:VCARD
    VERSION:3.0
    N:Müller;Zoë;;Dr.;
    FN:Dr. Zoë Mül
     ler\\, Chemikerin
    item1.X-BITCOIN-ADDRESS;TYPE=home:\(bitcoin)
    NOTE:first\\nETH: \(ethereum)\\nnot an address
    TEL:+49 1
    REV:20260102T030405Z
    END:VCARD
    BEGIN:VCARD
    VERSION:4.0
    UID:urn:uuid:1
    FN:Bob
    IMPP;PREF=1:ethereum:\(ethereum)@1?value=1
    URL:bitcoin:\(bitcoin)?amount=1
    URL;X="a:b;c":https://example.org
    END:VCARD
    BEGIN:VCARD
    VERSION:4.0
    FN:Nobody
    END:VCARD
    BEGIN:VCARD
    VERSION:2.1
    FN:Old
    END:VCARD
    """

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `addresses are found where cards have them`(end: String) throws {
    let text = Self.cards.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
    #expect(try kind(text) == "vcard")
    let records = try read(text)
    #expect(
      records.contacts.map(\.name) == [
        "Dr. Zoë Müller, Chemikerin", "Dr. Zoë Müller, Chemikerin", "Bob", "Bob",
      ])
    #expect(records.contacts.map { PackedText.text($0.address) } == [bitcoin, ethereum, ethereum, bitcoin])
    #expect(records.contacts.map(\.chainFamily) == ["bitcoin", "evm", "evm", "bitcoin"])
    #expect(records.contacts[0].updatedAt == 1_767_323_045_000_000)
    #expect(records.excluded.map(\.what) == ["Nobody", "Old"])
    #expect(records.problems.isEmpty)
  }

  @Test func `folding may part a character`() throws {
    var bytes = Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Zo\u{C3}".utf8.dropLast(2))
    bytes += [0xC3] + Array("\r\n ".utf8) + [0xAB] + Array("\r\nX-BTC:\(bitcoin)\r\nEND:VCARD\r\n".utf8)
    // The whole file is then not UTF-8 and is refused. No current program folds like this.
    #expect(throws: ForeignFileError.self) { try VCardContacts.records(bytes) }
  }

  @Test func `a card that does not end is named`() throws {
    let records = try read("BEGIN:VCARD\nVERSION:4.0\nFN:A\nX-ETH:\(ethereum)\n")
    #expect(records.contacts.isEmpty && !records.isComplete)
  }

  @Test(arguments: ["", "END:VCARD\n", "FN:x\n", ":::\n;;;\n"])
  func `a file without cards is refused`(text: String) {
    #expect(throws: ForeignFileError.self) { try read(text) }
  }
}

@Suite struct `Labels of BIP-329` {
  private func read(_ text: String) throws -> ImportedRecords { try LabelLines(Array(text.utf8)).records }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines may end in any way, and text that is not UTF-8 is refused`(end: String) throws {
    let line = #"{"type": "addr", "ref": "a", "label": "é"}"#
    let records = try read("\u{FEFF}" + line + end + end + line.replacing(#""a""#, with: #""b""#) + end)
    #expect(records.settings.map(\.key) == ["label.addr.a", "label.addr.b"] && records.isComplete)
    let error = #expect(throws: ForeignFileError.self) {
      try LabelLines(Array(line.utf8).map { $0 == 0xC3 ? 0xE9 : $0 })
    }
    #expect(error?.sentence.contains("UTF-8") == true)
  }

  private static let lines = """
    { "type": "tx", "ref": "f91d", "label": "Tränsaction", "origin": "wpkh([d34db33f/84'/0'/0'])" }
    {"type":"addr","ref":"bc1q34","label":"Address"}

    {"type":"output","ref":"f91d:1","label":"Output","spendable":false}
    {"type":"addr","ref":"bc1q34","label":"Address"}
    {"type":"addr","ref":"bc1q34","label":"Another"}
    {"type":"future","ref":"x","label":null}
    """

  @Test func `each label is kept whole, and nothing is frozen`() throws {
    #expect(try kind(Self.lines) == "bip329")
    let records = try read(Self.lines)
    #expect(
      records.settings.map(\.key) == [
        "label.tx.f91d@wpkh([d34db33f/84'/0'/0'])", "label.addr.bc1q34", "label.output.f91d:1",
        "label.addr.bc1q34'",
        "label.future.x",
      ])
    #expect(
      records.settings[2].value == #"{"type":"output","ref":"f91d:1","label":"Output","spendable":false}"#)
    #expect(records.problems.contains { $0.problem.contains("freezes nothing") })
    #expect(records.problems.contains { $0.problem.contains("future") })
    #expect(records.isComplete)
  }

  @Test func `many labels of one thing cost no more than their own length`() throws {
    let reference = #""ref":"a'2""#
    let lines = (0..<2000).map { #"{"type":"tx","ref":"a","label":"\#($0)"}"# }
    let last = #"{"type":"tx",\#(reference),"label":"-"}"#
    let records = try read((lines + lines + [last]).joined(separator: "\n"))
    let keys = records.settings.map(\.key)
    #expect(keys.count == 2001 && Set(keys).count == 2001)
    #expect(keys.prefix(3) == ["label.tx.a", "label.tx.a'", "label.tx.a'2"] && keys.last == "label.tx.a'2'")
    #expect(keys.allSatisfy { $0.utf8.count < 20 })
  }

  @Test func `lines that are no labels are named, up to a limit`() throws {
    let bad = (0..<100).map { "{\"type\":\"tx\",\"ref\":\($0)}" }.joined(separator: "\n")
    let records = try read(bad + "\n{\"type\":\"tx\",\"ref\":\"a\",\"label\":\"b\"}\n")
    #expect(records.settings.count == 1 && records.excluded.count == 21 && !records.isComplete)
  }

  @Test(arguments: ["", "\n\n", "[]", "{}", "text"])
  func `a file without labels is refused`(text: String) {
    #expect(throws: ForeignFileError.self) { try read(text) }
  }

  @Test func `the example of the BIP is read`() throws {
    let text = String(decoding: try Published.file("bip329.jsonl"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    try #require(lines.count > 4)
    let records = try read(text)
    #expect(records.settings.count == lines.count && records.isComplete)
  }
}
