internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import Testing

@Suite struct ExportedSecretTests {
  private static let id = [UInt8](repeating: 0xA1, count: 16)
  private static let name = String(repeating: "a1", count: 16)
  private static let secret = [UInt8]("a secret share\0\u{FF}".utf8)

  @Test func `without being asked for, no secret is written`() throws {
    let directory = try ExportWorkplace()
    try directory.export { try fill(&$0) }
    #expect(try directory.names(in: "out") == ["key-share-descriptors.jsonl", "manifest.json"])
  }

  @Test func `secrets are files of their own bytes with what their records say beside them`() throws {
    let directory = try ExportWorkplace()
    try directory.export(includingSecrets: true) { try fill(&$0) }
    #expect(try directory.names(in: "out/secrets") == ["key-shares", "private-keys", "secret-files"])
    for section in ["key-shares", "private-keys", "secret-files"] {
      let folder = "out/secrets/\(section)"
      #expect(try directory.read("\(folder)/\(Self.name)") == Self.secret)
      let beside = try JSON.parse(try directory.read("\(folder)/\(Self.name).json"))
      #expect(beside["id"] == .text(Data(Self.id).base64EncodedString()))
      #expect(beside["file"] == .text("secrets/\(section)/\(Self.name)"))
      #expect(beside["content"] == nil && beside["secret"] == nil)
      #expect(try directory.permissions(in: folder) == [0o600, 0o600, 0o700])
    }
    let share = try JSON.parse(try directory.read("out/secrets/key-shares/\(Self.name).json"))
    #expect(share["protocol"] == .text("frost") && share["threshold"] == .integer(2))
    let key = try JSON.parse(try directory.read("out/secrets/private-keys/\(Self.name).json"))
    #expect(key["kind"] == .text("seed-phrase") && key["wallet_id"] == .text("0xabcd"))
    #expect(key["created_at"] == .text("1970-01-01T00:00:01.000000Z"))
    let file = try JSON.parse(try directory.read("out/secrets/secret-files/\(Self.name).json"))
    #expect(file["path"] == .text("../wallet.dat") && file["total"] == .integer(Int64(Self.secret.count)))
  }

  /// As an archive of version 0.2.0 may have it.
  @Test func `a secret file that is in an archive twice is exported once`() throws {
    let directory = try ExportWorkplace()
    try directory.export(includingSecrets: true) { builder in
      for _ in 0..<2 { try addFile(to: &builder) }
    }
    let folder = "out/secrets/secret-files"
    #expect(try directory.names(in: folder) == [Self.name, "\(Self.name).json"])
    #expect(try directory.read("\(folder)/\(Self.name)") == Self.secret)
  }

  @Test func `a share is compared with what is on the disk`() throws {
    let directory = try ExportWorkplace()
    let destination = try ExportDestination(output: directory.path("out"))
    let secrets = destination.secrets
    let secret = try SecretBytes(copying: Self.secret.span)
    try secrets.add(share: descriptor(), secret: secret)
    try secrets.write()
    #expect(try secrets.holds(share: Self.id, secret: secret))
    let other = try SecretBytes(count: Self.secret.count)
    let longer = try SecretBytes(count: Self.secret.count + 1)
    #expect(try !secrets.holds(share: Self.id, secret: other))
    #expect(try !secrets.holds(share: Self.id, secret: longer))
    #expect(try !secrets.holds(share: [1], secret: secret))
    #expect(throws: RecordsError.malformedRecord(section: "key-shares")) {
      try secrets.add(share: descriptor(), secret: secret)
    }
    #expect(throws: RecordsError.malformedRecord(section: "private-keys")) {
      try secrets.add(secretRecord: secret, of: .privateKeys)
    }
  }

  private func descriptor() -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data(Self.id)
    descriptor.protocol = "frost"
    descriptor.threshold = 2
    return descriptor
  }

  /// A key share, a private key, and a secret file in two parts, all with the same id and bytes.
  private func fill(_ builder: inout BackupBundle.Builder) throws {
    try builder.add(share: descriptor(), secret: try Self.shared(Self.secret))
    let key = PrivateKeyRecord(
      id: Self.id, walletID: PackedText.pack("0xabcd"), kind: "seed-phrase", name: "",
      secret: try Self.shared(Self.secret), createdAt: 1_000_000)
    try builder.add(secretRecord: Self.framed(try key.encoded()), to: .privateKeys)
    try addFile(to: &builder)
  }

  private func addFile(to builder: inout BackupBundle.Builder) throws {
    for range in [5..<Self.secret.count, 0..<5] {
      let part = SecretFilePart(
        id: Self.id, source: "keystore", path: Array("../wallet.dat".utf8), offset: UInt64(range.lowerBound),
        total: UInt64(Self.secret.count), content: try Self.shared(Array(Self.secret[range])))
      try builder.add(secretRecord: Self.framed(try part.encoded()), to: .secretFiles)
    }
  }

  private static func shared(_ bytes: [UInt8]) throws -> SharedSecret {
    SharedSecret(try SecretBytes(copying: bytes.span))
  }

  private static func framed(_ message: consuming SecretBytes) throws -> SharedSecret {
    var block: [UInt8] = []
    try message.withBytes { (bytes: Span<UInt8>) throws(FramingError) in
      try RecordFraming.append(bytes, to: &block)
    }
    return try shared(block)
  }
}
