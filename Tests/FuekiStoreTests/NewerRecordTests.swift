import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

/// Records of a newer minor version, built by hand with field numbers unknown to this version.
struct NewerRecordTests {
  /// A number, bytes, a text in a message, and both fixed widths, with field numbers below and above those in
  /// use.
  private static let newerFields: [UInt8] = {
    var writer = WireWriter()
    writer.append(30, varint: 7)
    writer.append(31, text: "☕️ newer")
    writer.append(500, bytes: [0, 1, 2, 0xFF] as [UInt8])
    writer.append(501, real: 0.1)
    writer.append(100_000, bytes: [0x0A, 0x01, 0x78] as [UInt8])
    // A fixed-width number of four bytes.
    writer.append(raw: [0xBD, 0x3F, 1, 2, 3, 4] as [UInt8])
    return writer.bytes
  }()

  /// Returns a section's record with the newer fields added.
  private static func newer<Record: SectionRecord>(_ record: Record) throws -> Record {
    var newer = record
    try newer.merge(serializedBytes: newerFields)
    return newer
  }

  @Test func `what is not understood comes out of a restored store as it went in`() throws {
    let scratch = try TemporaryDirectory()
    let odd = Samples.awkward()
    let records: [any SectionRecord] = try [
      Self.newer(Samples.wallet(1)), Self.newer(#require(odd.assets.first)),
      Self.newer(#require(odd.contacts.first)), Self.newer(#require(odd.settings.first)),
      Self.newer(#require(odd.credentials.first)), Self.newer(#require(odd.files.first)),
      Self.newer(#require(odd.transactions.first)), Self.newer(#require(odd.receipts.first)),
      Self.newer(#require(odd.sharings.first)), Self.newer(#require(odd.tokens.first)),
      Self.newer(#require(odd.users.first)), Self.newer(#require(odd.threads.first)),
      Self.newer(#require(odd.messages.first)),
    ]
    var builder = BackupBundle.Builder()
    for record in records { try builder.add(record) }
    try Pipeline.write(builder.build(), to: scratch.path("newer.fueki"))
    let destination = try StoreDestination(dataDirectory: scratch.path("store"), keychainSlots: [])
    try Pipeline.restore(scratch.path("newer.fueki"), into: destination)
    try Pipeline.write(try Pipeline.bundle(scratch.path("store")), to: scratch.path("again.fueki"))
    let first = try Pipeline.records(scratch.path("newer.fueki"))
    let again = try Pipeline.records(scratch.path("again.fueki"))
    #expect(first.messages.keys.count == records.count)
    for section in first.messages.keys {
      let before = try #require(first.messages[section]?.first)
      let after = try #require(again.messages[section]?.first)
      #expect(try unknownFields(of: after) == unknownFields(of: before), "\(section.name)")
      #expect(try unknownFields(of: after) == unknownFields(of: Self.newerFields), "\(section.name)")
    }
  }

  /// Returns the fields with numbers from 30 on.
  ///
  /// A set, because their order among the other fields is unspecified.
  private func unknownFields(of message: [UInt8]) throws -> Set<[UInt8]> {
    var reader = WireReader()
    var fields: Set<[UInt8]> = []
    while let field = try reader.next(in: message.span) {
      if field.number >= 30 { fields.insert(Array(message[field.range])) }
    }
    return fields
  }

  @Test func `newer fields of shares' descriptors and of private keys are kept in the keychain`() throws {
    let scratch = try TemporaryDirectory()
    var builder = BackupBundle.Builder()
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data([UInt8](repeating: 3, count: 16))
    descriptor.name = "share"
    try builder.add(share: Self.newer(descriptor), secret: try Samples.secret("a share's secret"))
    var key = PrivateKeyRecord(
      id: [UInt8](repeating: 4, count: 16), walletID: nil, kind: "another", name: "key",
      secret: try Samples.secret("a key's secret"), createdAt: nil)
    key.unknownFields = SharedSecret(try SecretBytes(copying: Self.newerFields.span))
    let message = try key.encoded()
    let bytes = message.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    var framed: [UInt8] = []
    try RecordFraming.append(bytes, to: &framed)
    builder.add(secretRecord: SharedSecret(try SecretBytes(copying: framed.span)), to: .privateKeys)
    try Pipeline.write(builder.build(), to: scratch.path("newer.fueki"))

    let slot = KeychainSecret.keyFile(try Samples.secret("a key file's bytes, at least thirty-two of them"))
    guard case .keyFile(let file) = slot else { return }
    let destination = try StoreDestination(
      dataDirectory: scratch.path("store"), keychainSlots: [.keyFile(file)])
    try Pipeline.restore(
      scratch.path("newer.fueki"), into: destination, keychain: destination.keychain)
    let keychain = try Keychain.read(scratch.path("store"), with: KeychainOpening([slot]))
    let share = try #require(keychain.shares.first)
    #expect(try share.descriptor == Self.newer(descriptor))
    let record = try #require(keychain.privateKeyRecords.first)
    let kept = record.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    #expect(kept == bytes)
  }
}
