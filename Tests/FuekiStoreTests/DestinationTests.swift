import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import TestSupport
import Testing

@Suite struct DestinationTests {
  @Test func `nothing is written where something is in the way`() throws {
    let scratch = try TemporaryDirectory()
    try Directory.makePrivateDirectories(scratch.path("full"))
    _ = try Directory.open(scratch.path("full")).createFile("x")
    try scratch.write([1], to: "file")
    for name in ["full", "file"] {
      #expect(throws: PlaceError.wouldOverwrite(path: scratch.path(name))) {
        try StoreDestination(dataDirectory: scratch.path(name), keychainSlots: [])
      }
    }
    #expect(try scratch.open().list().map(\.text) == ["file", "full"])
  }

  @Test func `an empty directory is taken, and parents are made`() throws {
    let scratch = try TemporaryDirectory()
    try Directory.makePrivateDirectories(scratch.path("empty"))
    for name in ["empty", "deep/er"] {
      let destination = try StoreDestination(dataDirectory: scratch.path(name), keychainSlots: [])
      try destination.begin(Manifest(), vaultID: Pipeline.vaultID)
      try destination.finish()
      let directory = try Directory.open(scratch.path(name))
      #expect(try directory.list().map(\.text) == ["wallet.sqlite"])
      #expect(try directory.status().permissions == 0o700)
      #expect(try directory.openFile("wallet.sqlite").permissions() == 0o600)
    }
    #expect(try scratch.open().list().map(\.text) == ["deep", "empty"])
  }

  @Test func `what comes into the way meanwhile is not replaced`() throws {
    let scratch = try TemporaryDirectory()
    let destination = try StoreDestination(dataDirectory: scratch.path("data"), keychainSlots: [])
    try destination.begin(Manifest(), vaultID: Pipeline.vaultID)
    try Directory.makePrivateDirectories(scratch.path("data"))
    _ = try Directory.open(scratch.path("data")).createFile("mine")
    #expect(throws: PlaceError.wouldOverwrite(path: scratch.path("data"))) { try destination.finish() }
    #expect(try Directory.open(scratch.path("data")).list().map(\.text) == ["mine"])
  }

  @Test(arguments: [Section.privateKeys, .secretFiles])
  func `a secret record that is none is the archive's fault`(_ section: Section) throws {
    let scratch = try TemporaryDirectory()
    let destination = try StoreDestination(
      dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
    // An empty message, a truncated field and an id of the wrong length.
    for bytes: [UInt8] in [[], [0x0A, 0x10, 1], [0x0A, 1, 1]] {
      #expect(throws: RecordsError.malformedRecord(section: section.name)) {
        try destination.keychain.add(secretRecord: SecretBytes(copying: bytes.span), of: section)
      }
    }
  }

  @Test func `a destination that is dropped leaves nothing behind`() throws {
    let scratch = try TemporaryDirectory()
    do {
      let destination = try StoreDestination(
        dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
      try destination.keychain.add(share: Samples.descriptor(1), secret: try Samples.secret("s").bytes)
      try destination.keychain.write()
      try destination.begin(Manifest(), vaultID: Pipeline.vaultID)
      let entries = try scratch.open().list()
      #expect(entries.count == 1 && entries[0].text?.hasPrefix(".data.restoring-") == true)
    }
    #expect(try scratch.open().list().isEmpty)
  }

  @Test func `the new keychain holds just the shares that were put in`() throws {
    let scratch = try TemporaryDirectory()
    let destination = try StoreDestination(
      dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
    let keychain = destination.keychain
    let secret = try Samples.secret("secret")
    try keychain.add(share: Samples.descriptor(1), secret: secret.bytes)
    #expect(try !keychain.holds(share: [UInt8](repeating: 1, count: 16), secret: secret.bytes))
    try keychain.write()
    try keychain.finishWriting()
    #expect(try keychain.holds(share: [UInt8](repeating: 1, count: 16), secret: secret.bytes))
    #expect(
      try !keychain.holds(share: [UInt8](repeating: 1, count: 16), secret: try Samples.secret("other!").bytes)
    )
    #expect(try !keychain.holds(share: [UInt8](repeating: 2, count: 16), secret: secret.bytes))
    let bare = try StoreDestination(dataDirectory: scratch.path("other"), keychainSlots: [])
    #expect(throws: CollectError.keychain(.missingSecret)) {
      try bare.keychain.add(share: Samples.descriptor(1), secret: secret.bytes)
    }
  }

  @Test func `a restore whose keychain cannot be written leaves nothing behind`() throws {
    let scratch = try TemporaryDirectory()
    var descriptor = Samples.descriptor(9)
    descriptor.walletID = Samples.id(1)
    let records: [any SectionRecord] = [Samples.wallet(1), Samples.transaction(5, wallet: 1)]
    try Merging.make(scratch.path("other"), records, shares: [(descriptor, "secret")])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    // Argon2id refuses less than 8 KiB.
    let refused = NewKeychainSlot.passphrase(
      try Samples.secret("p"), cost: Argon2id.Cost(memoryKiB: 4, passes: 1))
    #expect(throws: KeychainError.crypto(.derivationFailed)) {
      let made = try StoreDestination(dataDirectory: scratch.path("data"), keychainSlots: [refused])
      try Pipeline.restore(scratch.path("a.fueki"), into: made, keychain: made.keychain)
    }
    #expect(try scratch.open().list().compactMap(\.text) == ["a.fueki", "other"])
  }

  @Test(arguments: ["in order", "reversed", "shuffled", "gaps", "twice"])
  func `receipts find their transactions`(order: String) throws {
    let scratch = try TemporaryDirectory()
    let builder = try StoreBuilder(dataDirectory: scratch.path("data"))
    let numbers = Array(0..<3000)
    try builder.insert([Samples.wallet(1)])
    try builder.insert(numbers.map { Samples.transaction($0, wallet: 1) })
    var generator = TestSupport.random(1)
    let receipts =
      switch order {
      case "in order": numbers
      case "reversed": Array(numbers.reversed())
      case "shuffled": numbers.shuffled(using: &generator)
      case "gaps": numbers.filter { $0 % 1300 < 40 } + [5000] + [41]
      default: numbers + numbers.prefix(100)
      }
    try builder.insert(receipts.map { Samples.receipt($0) })
    let store = try builder.finish()
    #expect(try store.receipts.count() == receipts.count)
    let wrong = """
      SELECT count(*) FROM receipts JOIN transactions USING (row_id)
      WHERE CAST(transactions.amount AS INTEGER) + 0 != transactions.block_number
      """
    #expect(try rows(scratch.path("data"), wrong) == [[0.databaseValue]])
    let unclaimed = Set(receipts).count == receipts.count ? receipts.count { $0 >= 3000 } : 100
    #expect(
      try rows(scratch.path("data"), "SELECT count(*) FROM unclaimed_receipts") == [[unclaimed.databaseValue]]
    )
    for number in Set(receipts) {
      #expect(
        try store.receipts.fetch(.of(transaction: RecordID(packed: Samples.receipt(number).transactionID)))
          .contains(
            Samples.receipt(number)))
    }
  }
}
