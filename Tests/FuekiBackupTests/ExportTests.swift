internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf
internal import Testing

@Suite struct ExportTests {
  @Test func `a transaction's line has the values that were put in`() throws {
    let directory = try ExportWorkplace()
    try directory.export { builder in
      var record = Transaction()
      record.id = PackedText.pack("3F2504E0-4F89-11D3-9A0C-0305E82C3301")
      record.walletID = PackedText.pack("wallet \"one\"\n\u{1}")
      record.hash = PackedText.pack("0x" + String(repeating: "ab", count: 32))
      record.from = PackedText.pack("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
      record.to = Data([9, 1, 2])
      record.amount = String(repeating: "9", count: 78)
      record.status = "confirmed"
      record.timestamp = -1
      record.blockNumber = .max
      record.data = Data([0xFB, 0xFF])
      record.metadata = "é\u{1F600}\\"
      record.extra = [extra("a") { $0.integer = .min }, extra("b") { $0.real = -.infinity }]
      record.extra += [extra("c") { $0.blob = Data([0]) }, extra("d") { $0.json = "{\"x\":1}" }]
      record.extra.append(extra("e") { _ in })
      try builder.add(record)
    }
    let bytes = try directory.read("out/transactions.jsonl")
    let line = try JSON.parse(bytes)
    #expect(bytes.filter { $0 == 0x0A }.count == 1)
    #expect(line["id"] == .text("3F2504E0-4F89-11D3-9A0C-0305E82C3301"))
    #expect(line["wallet_id"] == .text("wallet \"one\"\n\u{1}"))
    #expect(line["hash"] == .text("0x" + String(repeating: "ab", count: 32)))
    #expect(line["from"] == .text("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
    #expect(line["to"] == .object(["bytes": .text("CQEC")]))
    #expect(line["amount"] == .text(String(repeating: "9", count: 78)))
    #expect(line["timestamp"] == .text("1969-12-31T23:59:59.999999Z"))
    #expect(line["block_number"] == .unsigned(.max))
    #expect(line["data"] == .text("+/8="))
    #expect(line["metadata"] == .text("é\u{1F600}\\"))
    #expect(line["fee"] == nil && line["nonce"] == nil && line["gas_price"] == nil)
    #expect(line["extra"]?[0] == .object(["name": .text("a"), "integer": .integer(.min)]))
    #expect(line["extra"]?[1] == .object(["name": .text("b"), "real": .text("-Infinity")]))
    #expect(line["extra"]?[2] == .object(["name": .text("c"), "blob": .text("AA==")]))
    #expect(line["extra"]?[3] == .object(["name": .text("d"), "json": .text("{\"x\":1}")]))
    #expect(line["extra"]?[4] == .object(["name": .text("e")]))
  }

  @Test func `what the wire leaves out is empty, and what is not known is absent`() throws {
    let directory = try ExportWorkplace()
    try directory.export { try $0.add(Wallet()) }
    let line = try JSON.parse(try directory.read("out/wallets.jsonl"))
    let always = [
      "id", "name", "kind", "chain_family", "chain_id", "address", "derivation_path", "network",
      "genesis_hash", "group_public_key",
    ]
    #expect(line.names == Set(always))
    for name in always { #expect(line[name] == .text("")) }
  }

  @Test func `lists and records within records keep their order`() throws {
    let directory = try ExportWorkplace()
    try directory.export { builder in
      var wallet = Wallet()
      wallet.descriptors = ["wpkh(a)", "wpkh(b)"]
      wallet.balance = ""
      wallet.lastSynced.height = 5
      wallet.lastSynced.time = 0
      wallet.earlierCheckpoints = [Checkpoint(), Checkpoint()]
      var account = Account()
      account.index = 3
      account.imported = true
      wallet.accounts = [account]
      wallet.hazards = ["ark"]
      try builder.add(wallet)
      var receipt = Receipt()
      var log = Log()
      log.topics = [PackedText.pack("0xddf2"), PackedText.pack("")]
      receipt.logs = [log, Log()]
      receipt.success = false
      try builder.add(receipt)
    }
    let wallet = try JSON.parse(try directory.read("out/wallets.jsonl"))
    #expect(wallet["descriptors"] == .list([.text("wpkh(a)"), .text("wpkh(b)")]))
    #expect(wallet["balance"] == .text(""))
    #expect(wallet["birthday"] == nil)
    #expect(wallet["last_synced"]?["height"] == .integer(5))
    #expect(wallet["last_synced"]?["time"] == .text("1970-01-01T00:00:00.000000Z"))
    #expect(wallet["earlier_checkpoints"]?[1] == .object(["height": .integer(0), "hash": .text("")]))
    #expect(wallet["accounts"]?[0]?["imported"] == .boolean(true))
    #expect(wallet["hazards"] == .list([.text("ark")]))
    let receipt = try JSON.parse(try directory.read("out/receipts.jsonl"))
    #expect(receipt["success"] == .boolean(false))
    #expect(receipt["logs"]?[0]?["topics"] == .list([.text("0xddf2"), .text("")]))
    #expect(receipt["logs"]?[1] == .object(["address": .text(""), "data": .text("")]))
  }

  @Test func `times are spelled alike, whatever the day before`() throws {
    let directory = try ExportWorkplace()
    let day: Int64 = 86_400_000_000
    let times = [0, .min, .max, -1, -day, -day - 1, day - 1, day, 1_800_000_000_123_456, 0, .min + 1]
    try directory.export { builder in
      for time in times {
        var setting = Setting()
        setting.updatedAt = time
        try builder.add(setting)
      }
    }
    let lines = try JSON.lines(try directory.read("out/settings.jsonl"))
    let texts: [JSON?] = lines.map { $0["updated_at"] }
    let expected: [JSON?] = times.map { time in JSON.text(Timestamp(microseconds: time).text) }
    #expect(texts == expected)
  }

  @Test func `addresses keep their spelling, also those that share a place in the memory of them`() throws {
    let directory = try ExportWorkplace()
    let addresses = (0..<64).map { number in
      let bytes = (0..<19).map { UInt8(truncatingIfNeeded: number &* 37 &+ $0 &* 11) } + [UInt8(number & 1)]
      return PackedText.text(Data([PackedText.Form.checksummedAddress.rawValue] + bytes)) ?? ""
    }
    try directory.export { builder in
      for address in addresses + addresses {
        var contact = Contact()
        contact.address = PackedText.pack(address)
        try builder.add(contact)
      }
    }
    let lines = try JSON.lines(try directory.read("out/contacts.jsonl"))
    #expect(lines.compactMap { $0["address"]?.text } == addresses + addresses)
  }

  @Test func `fields of a newer version are carried along`() throws {
    let directory = try ExportWorkplace()
    let unknown: [UInt8] = [0xF8, 0x07, 0x2A]
    try directory.export { builder in
      let contact: [UInt8] = try Contact().serializedBytes()
      try builder.add(try Contact(serializedBytes: contact + unknown))
    }
    let line = try JSON.parse(try directory.read("out/contacts.jsonl"))
    #expect(line["unknown_fields"] == .text(Data(unknown).base64EncodedString()))
  }

  @Test func `a record in another writer's spelling is read all the same`() throws {
    let directory = try ExportWorkplace()
    // Fields 3, 2, 1 and 1 again, the last with a length in two bytes.
    let spelled: [UInt8] = [0x18, 2, 0x12, 1, 0x62, 0x0A, 1, 0x61, 0x0A, 0x81, 0, 0x7A]
    try directory.export { builder in
      let batch = OneBatch(spelled)
      builder.add(.settings, from: { batch.take() })
    }
    let line = try JSON.parse(try directory.read("out/settings.jsonl"))
    #expect(line["key"] == .text("z") && line["value"] == .text("b"))
    #expect(line["updated_at"] == .text("1970-01-01T00:00:00.000001Z"))
  }

  @Test func `a record that is none stops the export, and nothing is left`() throws {
    let directory = try ExportWorkplace()
    #expect(throws: RecordsError.malformedRecord(section: "settings")) {
      try directory.export { builder in
        let batch = OneBatch([0x0A, 1, 0xFF])
        builder.add(.settings, from: { batch.take() })
      }
    }
    #expect(try directory.names() == ["a.fueki"])
  }

  @Test func `every section of the schema has its file`() throws {
    let directory = try ExportWorkplace()
    let exported = try directory.export { builder in
      var descriptor = KeyShareDescriptor()
      descriptor.id = Data(repeating: 1, count: 16)
      try builder.add(descriptor)
      let records: [any SectionRecord] = [
        Wallet(), Asset(), Contact(), Setting(), Credential(), FilePart(), Transaction(), Receipt(),
        CredentialSharing(), IdTokenSharing(), ChatUser(), ChatThread(), ChatMessage(),
      ]
      for record in records { try builder.add(record) }
    }
    let open = Section.allCases.filter { $0 != .manifest && $0.scope != .secrets }
    let names = try directory.names(in: "out")
    let expected: [String] = open.map { "\($0.name).jsonl" } + ["manifest.json", "files"]
    #expect(Set(names) == Set(expected))
    for section in open {
      #expect(try JSON.lines(try directory.read("out/\(section.name).jsonl")).count == 1)
    }
    let manifest = try JSON.parse(try directory.read("out/manifest.json"))
    #expect(manifest["schema"] == .text("fueki.export-manifest/1"))
    #expect(manifest["vault_id"] == .text(String(repeating: "07", count: 16)))
    #expect(manifest["sections"]?.names == Set(open.map(\.name)))
    #expect(manifest["manifest"]?["label"] == .text("näme \"quoted\""))
    #expect(manifest["manifest"]?["padding"] == nil)
    #expect(exported.incompleteFiles.isEmpty)
  }

  @Test func `many records keep their number and order, block after block`() throws {
    let directory = try ExportWorkplace()
    let text = String(repeating: "x", count: 1000)
    try directory.export { builder in
      for number in 0..<3000 {
        var record = Transaction()
        record.nonce = UInt64(number)
        record.metadata = text
        try builder.add(record)
      }
    }
    let lines = try JSON.lines(try directory.read("out/transactions.jsonl"))
    let nonces: [JSON?] = lines.map { $0["nonce"] }
    let expected: [JSON?] = (0..<3000).map { number in JSON.integer(number) }
    #expect(nonces == expected)
    for line in lines { #expect(line["metadata"] == .text(text)) }
  }

  @Test func `files and directories are private`() throws {
    let directory = try ExportWorkplace()
    try directory.export { try $0.add(Setting()) }
    #expect(try directory.permissions(in: "out") == [0o600, 0o600, 0o700])
  }

  @Test func `a directory with something in it is refused`() throws {
    let directory = try ExportWorkplace()
    try directory.makeDirectory("out")
    let output = directory.path("out")
    let free = try ExportDestination(output: output + "/")
    try directory.makeDirectory("out/something")
    #expect(throws: PlaceError.wouldOverwrite(path: output)) { _ = try ExportDestination(output: output) }
    try free.begin(Manifest(), vaultID: SampleBundle.vaultID)
    #expect(throws: PlaceError.wouldOverwrite(path: output + "/")) { try free.finish() }
    try directory.write([], to: "file")
    #expect(throws: PlaceError.wouldOverwrite(path: directory.path("file"))) {
      _ = try ExportDestination(output: directory.path("file"))
    }
  }

  @Test func `an empty directory is taken, and parents are made`() throws {
    let directory = try ExportWorkplace()
    try directory.makeDirectory("empty")
    for name in ["empty", "new/er"] {
      let destination = try ExportDestination(output: directory.path(name))
      try destination.begin(Manifest(), vaultID: SampleBundle.vaultID)
      try destination.finish()
      #expect(try directory.names(in: name) == ["manifest.json"])
    }
  }

  @Test func `dropped before it is finished, nothing is left`() throws {
    let directory = try ExportWorkplace()
    do {
      let destination = try ExportDestination(output: directory.path("out"))
      try destination.begin(Manifest(), vaultID: SampleBundle.vaultID)
      #expect(try directory.names().count == 1)
    }
    #expect(try directory.names().isEmpty)
  }

  private func extra(_ name: String, _ fill: (inout Extra) -> Void) -> Extra {
    var extra = Extra()
    extra.name = name
    fill(&extra)
    return extra
  }
}
