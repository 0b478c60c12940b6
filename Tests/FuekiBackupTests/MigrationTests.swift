import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

/// Records of other versions of the schema.
struct MigrationTests {
  /// An archive whose manifest says a version, with these records.
  private func archive(
    schema: UInt32, _ records: [(Section, [[UInt8]])], in folder: borrowing TemporaryDirectory
  ) throws -> (StoredArchive, SampleBundle) {
    let sample = try SampleBundle()
    let file = ArchiveFile(try folder.open().createFile("\(schema).fueki"))
    var manifest = Manifest(program: "older", label: "x", device: "y", includesPrivateKeys: false)
    manifest.schema = schema
    let body: [UInt8] = try manifest.serializedBytes()
    var writer = try ArchiveWriter(
      to: file, draft: ArchiveDraft(vaultID: SampleBundle.vaultID, sequence: 1, previous: .zero, created: 1),
      slots: sample.slots(), manifestByteCount: body.count)
    for (section, messages) in records {
      var pending = [messages]
      try writer.write(section: section.rawValue) {
        guard let messages = pending.popLast() else { return nil }
        return {
          var batch = RecordBatch()
          for message in messages { batch.append(message) }
          return batch
        }
      }
    }
    _ = try writer.finish(manifest: body)
    return (try StoredArchive(reading: file), sample)
  }

  private func restored(
    _ stored: StoredArchive, _ sample: SampleBundle, wallets: [String] = []
  ) throws -> MemoryDestination {
    let destination = MemoryDestination()
    var recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    recovery.wallets = wallets
    _ = try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in (destination, nil) }
    return destination
  }

  private var appWallet: Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("W")
    wallet.kind = "TSS"
    wallet.address = PackedText.pack("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    return wallet
  }

  private func transaction(_ status: String) -> Transaction {
    var transaction = Transaction()
    transaction.id = PackedText.pack("T-\(status)")
    transaction.walletID = PackedText.pack("W")
    transaction.status = status
    return transaction
  }

  @Test func `there is a step from each version to the next`() throws {
    #expect(RecordSchema.migrations.map(\.from) == Array(0..<RecordSchema.current))
    #expect(try RecordSchema.lift(from: RecordSchema.current) == nil)
    #expect(try RecordSchema.lift(from: 0)?.touches(.wallets) == true)
    #expect(throws: RecordsError.newerRecords(schema: RecordSchema.current + 1)) {
      try RecordSchema.lift(from: RecordSchema.current + 1)
    }
  }

  @Test func `the app's own words become this version's, and are kept`() throws {
    let wallet = try RecordSchema.lifted(appWallet, from: 0)
    #expect(wallet.kind == "tss" && wallet.chainFamily == "evm")
    #expect(wallet.extra.map(\.name) == ["type"] && wallet.extra.map(\.json) == [#""TSS""#])
    for (written, known) in [
      ("Confirmed", "confirmed"), ("PENDING", "pending"), ("confirmed", "confirmed"), ("odd", "odd"),
      ("", ""), ("con\"firmed", "con\"firmed"),
    ] {
      let lifted = try RecordSchema.lifted(transaction(written), from: 0)
      #expect(lifted.status == known)
      #expect(lifted.extra.map(\.json) == (written == known ? [] : ["\"\(written)\""]))
    }
    var node = Wallet()
    node.kind = "lightning"
    #expect(try RecordSchema.lifted(node, from: 0).hazards == ["lightning"])
    // Records of this version are unchanged.
    #expect(try RecordSchema.lifted(appWallet, from: 1) == appWallet)
  }

  @Test func `an archive of version 0 is lifted while it streams, and nothing of it is lost`() throws {
    let folder = try TemporaryDirectory()
    var wallet = appWallet
    // A field that neither version knows.
    try wallet.merge(serializedBytes: [0xA0, 0x06, 0x05] as [UInt8])
    let many = (0..<3000).map { transaction($0.isMultiple(of: 2) ? "Confirmed" : "pending") }
    let (stored, sample) = try archive(
      schema: 0,
      [
        (.wallets, [try wallet.serializedBytes()]),
        (.transactions, try many.map { try $0.serializedBytes() as [UInt8] }),
      ], in: folder)
    let destination = try restored(stored, sample)
    let lifted = try Wallet(serializedBytes: try #require(destination.records[.wallets]?.first))
    #expect(lifted.kind == "tss" && lifted.unknownFields == wallet.unknownFields)
    let transactions = try (destination.records[.transactions] ?? []).map {
      try Transaction(serializedBytes: $0)
    }
    #expect(transactions.map(\.status).count == 3000)
    #expect(transactions[0].status == "confirmed" && transactions[0].extra.map(\.name) == ["status"])
    #expect(transactions[1] == many[1])
  }

  @Test func `of an archive of version 0 some wallets can be restored, with what is theirs`() throws {
    let folder = try TemporaryDirectory()
    var other = appWallet
    other.id = PackedText.pack("X")
    var stranger = transaction("Confirmed")
    (stranger.id, stranger.walletID) = (PackedText.pack("T-other"), other.id)
    let own = transaction("Confirmed")
    let receipts = [own, stranger].map { of in
      Receipt.with {
        $0.id = PackedText.pack("R")
        $0.transactionID = of.id
      }
    }
    let (stored, sample) = try archive(
      schema: 0,
      [
        (.wallets, try [other, appWallet].map { try $0.serializedBytes() }),
        (.transactions, try [stranger, own].map { try $0.serializedBytes() }),
        (.receipts, try receipts.map { try $0.serializedBytes() }),
      ], in: folder)
    let records = try restored(stored, sample, wallets: ["W"]).records
    #expect(
      try records[.wallets]?.map { try Wallet(serializedBytes: $0) }
        == [RecordSchema.lifted(appWallet, from: 0)])
    #expect(
      try records[.transactions]?.map { try Transaction(serializedBytes: $0) }
        == [RecordSchema.lifted(own, from: 0)])
    #expect(try records[.receipts]?.map { try Receipt(serializedBytes: $0) } == [receipts[0]])
    #expect(throws: RestoreError.noWallet(id: "Y")) { try restored(stored, sample, wallets: ["Y"]) }
  }

  @Test func `an archive of this version is left alone, whatever its words`() throws {
    let folder = try TemporaryDirectory()
    let message: [UInt8] = try appWallet.serializedBytes()
    let (stored, sample) = try archive(schema: 1, [(.wallets, [message])], in: folder)
    #expect(try restored(stored, sample).records[.wallets] == [message])
  }

  @Test func `a newer version's records are refused before anything is decrypted`() throws {
    let folder = try TemporaryDirectory()
    let (stored, sample) = try archive(
      schema: 2, [(.wallets, [try appWallet.serializedBytes()])], in: folder)
    #expect(throws: RecordsError.newerRecords(schema: 2)) { try restored(stored, sample) }
  }

  @Test func `a record that is none of its section is named by the section`() throws {
    let folder = try TemporaryDirectory()
    let (stored, sample) = try archive(schema: 0, [(.wallets, [[0x0A, 0x05, 0x01]])], in: folder)
    #expect(throws: RecordsError.malformedRecord(section: "wallets")) { try restored(stored, sample) }
  }
}
