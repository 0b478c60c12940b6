import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

/// Records with well-formed fields but malformed inner messages or texts.
@Suite struct MalformedRecordTests {
  /// A field whose content is invalid for every message in the schema.
  struct Fault: Sendable, CustomTestStringConvertible {
    let section: Section
    let table: String
    let column: String
    let field: UInt32
    let content: [UInt8]

    var testDescription: String { "\(table).\(column) \(content)" }

    /// The encoded field.
    var bytes: [UInt8] {
      var writer = WireWriter()
      writer.append(field, bytes: content)
      return writer.bytes
    }
  }

  /// A truncated name, a name that is not UTF-8, and bytes that are no message.
  private static let broken: [[UInt8]] = [[0x0A, 5, 0x78], [0x0A, 1, 0xFF], [0xFF]]

  private static let faults: [Fault] =
    [
      (Section.wallets, "wallets"), (.assets, "assets"), (.contacts, "contacts"), (.settings, "settings"),
      (.keyShareDescriptors, "key_share_descriptors"), (.credentials, "credentials"), (.files, "files"),
      (.transactions, "transactions"), (.receipts, "receipts"),
      (.credentialSharing, "credential_sharing"), (.idTokenSharing, "id_token_sharing"), (.users, "users"),
      (.threads, "threads"), (.messages, "messages"),
    ].map { Fault(section: $0, table: $1, column: "extra", field: 15, content: broken[0]) }
    + broken.map { Fault(section: .contacts, table: "contacts", column: "extra", field: 15, content: $0) }
    + broken.map { Fault(section: .wallets, table: "wallets", column: "details", field: 13, content: $0) }
    + [
      Fault(section: .wallets, table: "wallets", column: "details", field: 8, content: [0xC0]),
      Fault(section: .transactions, table: "transactions", column: "details", field: 12, content: [0xC0]),
      Fault(section: .receipts, table: "receipts", column: "logs", field: 4, content: broken[0]),
      Fault(
        section: .credentialSharing, table: "credential_sharing", column: "claims", field: 7,
        content: broken[1]),
    ]

  /// Returns one record of each kind, and the transaction's receipt.
  ///
  /// Share descriptors are left out, because a store has them only together with a keychain.
  private static func records(_ more: [any SectionRecord] = []) throws -> [any SectionRecord] {
    let odd = Samples.awkward()
    var file = try #require(odd.files.first)
    file.total = UInt64(file.content.count)
    return [
      Samples.wallet(1), try #require(odd.assets.first), try #require(odd.contacts.first),
      try #require(odd.settings.first), try #require(odd.credentials.first),
      file, Samples.transaction(1, wallet: 1), Samples.receipt(1),
      try #require(odd.sharings.first), try #require(odd.tokens.first), try #require(odd.users.first),
      try #require(odd.threads.first), try #require(odd.messages.first),
    ] + more
  }

  /// Writes an archive with one section and one record, followed by extra bytes in the same record.
  private func write(_ section: Section, and more: [UInt8], to path: String) throws {
    let record = try #require(
      try Self.records([Samples.descriptor(9)]).first { type(of: $0).section == section })
    var batch = RecordBatch()
    batch.append(try record.serializedBytes() as [UInt8] + more)
    var builder = BackupBundle.Builder()
    let source = OneBatch(batch)
    builder.add(section) { source.take() }
    try Pipeline.write(builder.build(), to: path)
  }

  @Test(arguments: Self.faults)
  func `what create could not write back is refused by verification and by restore`(_ fault: Fault) throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.path("forged.fueki")
    try write(fault.section, and: fault.bytes, to: path)
    let found = try Pipeline.verifyContents(path)
    #expect(found.error == .forged(.records(section: fault.section.rawValue)) && found.verdict == .forged)
    let new = try StoreDestination(dataDirectory: scratch.path("new"), keychainSlots: [])
    #expect(throws: RecordsError.malformedRecord(section: fault.section.name)) {
      try Pipeline.restore(path, into: new)
    }
    try Merging.make(scratch.path("there"), [Samples.wallet(2)])
    #expect(throws: RecordsError.malformedRecord(section: fault.section.name)) {
      try Merging.run(path, into: scratch.path("there"), .fail)
    }
  }

  @Test(arguments: Self.faults.filter { $0.section != .keyShareDescriptors })
  func `a store that holds it is backed up, and its bytes come back`(_ fault: Fault) throws {
    let scratch = try TemporaryDirectory()
    try Merging.make(scratch.path("store"), try Self.records())
    let hex = Hex.encode(fault.bytes)
    try execute(
      scratch.path("store"),
      "UPDATE \(fault.table) SET \(fault.column) = CAST(coalesce(\(fault.column), X'') || X'\(hex)' AS BLOB)")
    let changed = try rows(scratch.path("store"), "SELECT count(*) FROM \(fault.table)")
    #expect(changed[0][0] == 1.databaseValue)
    try Pipeline.write(try Pipeline.bundle(scratch.path("store")), to: scratch.path("first.fueki"))
    #expect(try Pipeline.verifyContents(scratch.path("first.fueki")).verdict == .intact)
    let destination = try StoreDestination(dataDirectory: scratch.path("new"), keychainSlots: [])
    try Pipeline.restore(scratch.path("first.fueki"), into: destination)
    try Pipeline.write(try Pipeline.bundle(scratch.path("new")), to: scratch.path("again.fueki"))
    let first = try Pipeline.records(scratch.path("first.fueki"))
    let again = try Pipeline.records(scratch.path("again.fueki"))
    #expect(again.messages[fault.section] == first.messages[fault.section])
    var entry = Extra()
    entry.name = fault.column
    entry.blob = Data(fault.bytes)
    let message = try #require(again.messages[fault.section]?.first)
    #expect(try extra(in: message).contains(entry))
    #expect(try again.messages.keys.count == Self.records().count)
  }

  private func extra(in message: [UInt8]) throws -> [Extra] {
    var reader = WireReader()
    var entries: [Extra] = []
    while let field = try reader.next(in: message.span) {
      guard field.number == 15 else { continue }
      entries.append(try Extra(serializedBytes: field.bytes(in: message.span)))
    }
    return entries
  }

  @Test func `a record in another writer's spelling is taken by both`() throws {
    let scratch = try TemporaryDirectory()
    // An inner message's number encoded in two bytes instead of one.
    let spelled: [UInt8] = [0x7A, 6, 0x0A, 1, 0x78, 0x10, 0x82, 0]
    try write(.contacts, and: spelled, to: scratch.path("a.fueki"))
    #expect(try Pipeline.verifyContents(scratch.path("a.fueki")).verdict == .intact)
    let destination = try StoreDestination(dataDirectory: scratch.path("new"), keychainSlots: [])
    try Pipeline.restore(scratch.path("a.fueki"), into: destination)
    try Pipeline.write(try Pipeline.bundle(scratch.path("new")), to: scratch.path("again.fueki"))
    let contacts = try Pipeline.records(scratch.path("again.fueki")).decoded(Contact.self)
    #expect(contacts.map { $0.extra.last?.integer } == [1])
  }
}

/// A source of a single batch.
private final class OneBatch: Sendable {
  private let batch: Mutex<RecordBatch?>

  init(_ batch: RecordBatch) { self.batch = Mutex(batch) }

  func take() -> BatchJob? {
    guard let batch = batch.withLock({ $0.take() }) else { return nil }
    return { batch }
  }
}
