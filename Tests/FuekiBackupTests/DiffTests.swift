import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct DiffTests {
  private let sample: SampleBundle

  init() throws { sample = try SampleBundle() }

  private func open(_ bundle: BackupBundle) throws -> OpenArchive {
    let folder = try TemporaryDirectory()
    return try sample.open(try sample.archive(bundle, in: folder))
  }

  private func share(_ secret: String) throws -> BackupBundle {
    var builder = BackupBundle.Builder()
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data(SampleBundle.shareID)
    let bytes = Array(secret.utf8)
    try builder.add(share: descriptor, secret: SharedSecret(try SecretBytes(copying: bytes.span)))
    return builder.build()
  }

  private func transactions(_ ids: [Int], amount: (Int) -> String = { "\($0)" }) throws -> BackupBundle {
    var builder = BackupBundle.Builder()
    for id in ids {
      var transaction = Transaction()
      transaction.id = PackedText.pack("transaction-\(id)")
      transaction.amount = amount(id)
      try builder.add(transaction)
    }
    return builder.build()
  }

  private func section(_ section: Section, _ difference: BundleDifference) -> SectionDifference? {
    difference.sections.first { $0.section == section }
  }

  @Test func `a share is compared by its secret, and only its id is told`() throws {
    let old = try open(try share("the share of the first epoch"))
    #expect(try old.difference(to: try open(try share("the share of the first epoch"))).isEmpty)
    let difference = try old.difference(to: try open(try share("the share of another epoch")))
    let shares = try #require(section(.keyShares, difference))
    #expect(shares.changed == [Hex.encode(SampleBundle.shareID)])
    #expect(shares.added.isEmpty && shares.removed.isEmpty)
    #expect(try old.difference(to: try share("the share of the first epoch")).isEmpty)
  }

  @Test func `records in another order are the same records`() throws {
    var generator = TestSeed.random()
    let old = try open(try transactions(Array(0..<3000)))
    #expect(try old.difference(to: try transactions((0..<3000).reversed())).isEmpty)
    #expect(
      try old.difference(to: try open(try transactions((0..<3000).shuffled(using: &generator)))).isEmpty)
  }

  @Test func `records of one id are told apart by what they say`() throws {
    let old = try open(try transactions([1, 1, 2], amount: { "\($0)" }))
    let fewer = try #require(section(.transactions, try old.difference(to: try transactions([2, 1]))))
    #expect(fewer.removed == ["transaction-1"])
    #expect(fewer.changed.isEmpty && fewer.added.isEmpty)
    let other = try old.difference(to: try transactions([1, 2, 1], amount: { $0 == 2 ? "9" : "1" }))
    #expect(section(.transactions, other)?.changed == ["transaction-2"])
  }

  @Test func `a file that lost a part is changed, and one with none left is removed`() throws {
    func files(_ parts: [(file: UInt8, offset: UInt64)]) throws -> BackupBundle {
      var builder = BackupBundle.Builder()
      for part in parts {
        var record = FilePart()
        record.id = Data(repeating: part.file, count: 16)
        record.offset = part.offset
        try builder.add(record)
      }
      return builder.build()
    }
    let old = try open(try files([(1, 0), (1, 5), (2, 0), (3, 0)]))
    let difference = try old.difference(to: try files([(1, 0), (3, 0), (4, 0)]))
    let changes = try #require(section(.files, difference))
    #expect(changes.changed == [String(repeating: "01", count: 16)])
    #expect(changes.removed == [String(repeating: "02", count: 16)])
    #expect(changes.added == [String(repeating: "04", count: 16)])
  }

  @Test(arguments: [false, true])
  func `a file with the permissions that putting it back gives is the same`(_ isSecret: Bool) throws {
    func file(_ mode: UInt32, _ content: String = "wallet") throws -> BackupBundle {
      var builder = BackupBundle.Builder()
      let bytes = Array(content.utf8)
      guard isSecret else {
        var part = FilePart()
        (part.id, part.total, part.mode) = (Data(repeating: 1, count: 16), 6, mode)
        part.content = Data(bytes)
        try builder.add(part)
        return builder.build()
      }
      var part = SecretFilePart(
        id: [UInt8](repeating: 1, count: 16), source: "file", path: Array("wallet".utf8), offset: 0, total: 6,
        content: SharedSecret(try SecretBytes(copying: bytes.span)))
      part.mode = mode
      let message = try part.encoded()
      let record = message.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      var framed: [UInt8] = []
      try RecordFraming.append(record, to: &framed)
      builder.add(secretRecord: SharedSecret(try SecretBytes(copying: framed.span)), to: .secretFiles)
      return builder.build()
    }
    let old = try open(try file(0o644))
    for mode: UInt32 in [0o644, 0o600] { #expect(try old.difference(to: try file(mode)).isEmpty) }
    #expect(try !old.difference(to: try file(0o666)).isEmpty)
    #expect(try !old.difference(to: try file(0o600, "wallex")).isEmpty)
    // Permissions that someone gave to a private file are a change.
    #expect(try !open(try file(0o600)).difference(to: try file(0o644)).isEmpty)
  }

  @Test(arguments: [false, true])
  func `a wallet's batches may be larger than a block, and may end early`(_ endsEarly: Bool) throws {
    let messages = try (0..<60).map { number in
      var message = ChatMessage()
      message.id = PackedText.pack("message-\(number)")
      message.text = String(repeating: "\(number) ", count: 16_000)
      return try message.serializedBytes() as [UInt8]
    }
    func wallet(_ messages: [[UInt8]]) -> BackupBundle {
      var builder = BackupBundle.Builder()
      let isTaken = Locked(false)
      builder.add(.messages) {
        guard !isTaken.withLock({ $0 }) else { return nil }
        isTaken.withLock { $0 = true }
        return { Self.batch(messages[...], most: endsEarly ? 25 : 60) }
      }
      return builder.build()
    }
    let old = try open(wallet(messages))
    #expect(try old.difference(to: wallet(messages)).isEmpty)
    let shorter = try #require(section(.messages, try old.difference(to: wallet(messages.dropLast()))))
    #expect(shorter.removed == ["message-59"])
    #expect(shorter.changed.isEmpty && shorter.added.isEmpty)
  }

  /// A batch of the first messages, continued with the rest.
  private static func batch(_ messages: ArraySlice<[UInt8]>, most: Int) -> RecordBatch {
    var batch = RecordBatch()
    for message in messages.prefix(most) { batch.append(message) }
    let left = messages.dropFirst(most)
    if !left.isEmpty { batch.rest = { Self.batch(left, most: most) } }
    return batch
  }

  @Test func `a scope that one side does not open is named as not compared`() throws {
    let folder = try TemporaryDirectory()
    let file = ArchiveFile(try folder.open().createFile("profile.fueki"))
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: 1, previous: .zero, created: 1_700_000_000)
    let slot = NewSlot.passphrase(sample.passphrase, cost: SampleBundle.cost, opening: ScopeMask([.profile]))
    let stranger = try SecretBytes.random(count: X25519.byteCount)
    let whole = NewSlot.recipient(try X25519.publicKey(of: stranger))
    _ = try sample.bundle().write(to: file, draft: draft, slots: [slot, whole], facts: sample.facts)
    let intact = try #require(try StoredArchive(reading: file).verify().intact)
    let difference = try sample.open(intact).difference(to: try open(try sample.bundle()))
    #expect(difference.notCompared == ["history", "secrets"])
    #expect(difference.isEmpty)
    #expect(difference.sections.allSatisfy { $0.section.scope == .profile })
  }
}
