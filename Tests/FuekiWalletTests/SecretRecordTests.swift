import FoundationEssentials
import FuekiCrypto
import FuekiWallet
import SwiftProtobuf
import Testing

private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.withBytes { span in span.indices.map { span[$0] } }
}

private func shared(_ bytes: [UInt8]) throws -> SharedSecret {
  SharedSecret(try SecretBytes(copying: bytes.span))
}

@Suite struct PrivateKeyRecordTests {
  func sample() throws -> PrivateKeyRecord {
    PrivateKeyRecord(
      id: [UInt8](0..<16), walletID: PackedText.pack("w"), kind: "seed-phrase", name: "é",
      secret: try shared(Array("abandon ability able".utf8)), createdAt: -5)
  }

  @Test func `a key comes back, with what a later version wrote`() throws {
    var record = try sample()
    record.unknownFields = try shared([0x3a, 1, 9, 0x80, 0x40, 7])
    let encoded = bytes(try record.encoded())
    let again = try PrivateKeyRecord(decoding: encoded.span)
    #expect(again.id == record.id && again.walletID == record.walletID && again.kind == record.kind)
    #expect(again.name == record.name && again.createdAt == record.createdAt)
    let isSameSecret = again.secret.bytes.isEqualInConstantTime(to: record.secret.bytes)
    #expect(isSameSecret)
    #expect(bytes(try again.encoded()) == encoded)
  }

  @Test func `the bytes are those of the schema`() throws {
    let encoded = bytes(try sample().encoded())
    var expected = WireWriter()
    expected.append(1, bytes: [UInt8](0..<16))
    expected.append(2, bytes: PackedText.pack("w"))
    expected.append(3, text: "seed-phrase")
    expected.append(4, text: "é")
    expected.append(5, text: "abandon ability able")
    expected.append(6, zigzag: -5)
    #expect(encoded == expected.bytes)
  }

  @Test func `an id of another length, a missing secret and a field twice are refused`() throws {
    var record = try sample()
    record.id = [1]
    let short = bytes(try record.encoded())
    #expect(throws: SecretRecordError.missing(field: 1)) { try PrivateKeyRecord(decoding: short.span) }
    var noSecret = WireWriter()
    noSecret.append(1, bytes: [UInt8](0..<16))
    let missing = noSecret.bytes
    #expect(throws: SecretRecordError.missing(field: 5)) { try PrivateKeyRecord(decoding: missing.span) }
    let twice = missing + missing
    #expect(throws: SecretRecordError.malformed(.repeated(field: 1))) {
      try PrivateKeyRecord(decoding: twice.span)
    }
  }

  @Test func `no cut and no flipped bit traps`() throws {
    let encoded = bytes(try sample().encoded())
    for end in encoded.indices { _ = try? PrivateKeyRecord(decoding: Array(encoded[..<end]).span) }
    for bit in 0..<(encoded.count * 8) {
      var flipped = encoded
      flipped[bit / 8] ^= 1 << (bit % 8)
      _ = try? PrivateKeyRecord(decoding: flipped.span)
    }
  }
}

@Suite struct SecretFilePartTests {
  @Test func `a part has the bytes of the generated message and comes back`() throws {
    var random = SeededGenerator(seed: 30)
    for _ in 0..<100 {
      var message = FilePart()
      message.id = Data(random.bytes(16))
      message.source = random.text()
      message.path = random.data()
      message.offset = random.number()
      message.total = random.number()
      message.content = random.data(300)
      if random.chance() { message.modifiedAt = random.signed() }
      if random.chance() { message.mode = 0o600 }
      message.format = random.text()
      message.address = random.data()
      message.kdf = random.text()
      message.extra = random.extras()
      if random.chance() { message.place = random.data() }
      message.program = random.text()
      message.programVersion = random.text()
      let expected: [UInt8] = try message.serializedBytes()
      let part = try SecretFilePart(decoding: expected.span)
      #expect(bytes(try part.encoded()) == expected)
      #expect(bytes(part.content.bytes) == Array(message.content))
      #expect(part.path == Array(message.path) && part.extra == message.extra)
      #expect(part.place == (message.hasPlace ? Array(message.place) : nil))
      #expect(part.program == message.program && part.programVersion == message.programVersion)
    }
  }

  @Test func `the content may be empty and the id may not`() throws {
    let part = SecretFilePart(
      id: [UInt8](0..<16), source: "cln", path: [0xff], offset: 0, total: 0, content: try shared([]))
    let encoded = bytes(try part.encoded())
    #expect(bytes(try SecretFilePart(decoding: encoded.span).content.bytes) == [])
    let empty: [UInt8] = []
    #expect(throws: SecretRecordError.missing(field: 1)) { try SecretFilePart(decoding: empty.span) }
  }
}
