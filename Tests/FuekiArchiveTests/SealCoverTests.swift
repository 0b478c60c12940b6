import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The signature covers the seals in every signed archive, and in no other.
@Suite struct SealCoverTests {
  private static func key() throws -> SigningKey {
    let seed = [UInt8](repeating: 9, count: 32)
    return try SigningKey(seed: SharedSecret(try SecretBytes(copying: seed.span)))
  }

  private static let field: [UInt8] = [0x0C, 0x80, 0, 0, 0, 0]

  /// Returns the header's last field, before its digest.
  private func lastField(of bytes: [UInt8]) -> [UInt8] {
    let end = 16 + (Int(bytes[12]) | Int(bytes[13]) << 8)
    return Array(bytes[end - Self.field.count..<end])
  }

  private func stored(_ bytes: some Sequence<UInt8>) throws -> StoredArchive {
    let folder = try TemporaryDirectory()
    try folder.write(Array(bytes), to: "archive")
    return try StoredArchive(reading: ArchiveFile(File.open(folder.path("archive"))))
  }

  @Test func `a signed archive has the field, and an unsigned one does not`() throws {
    let unsigned = try SampleArchive()
    #expect(try lastField(of: unsigned.bytes()) != Self.field)
    #expect(try !unsigned.stored().facts.signatureCoversSeals)
    #expect(!unsigned.written.facts.signatureCoversSeals)
    let signed = try SampleArchive(signer: Self.key())
    #expect(try lastField(of: signed.bytes()) == Self.field)
    #expect(signed.written.facts.signatureCoversSeals)
    #expect(try signed.stored().facts == signed.written.facts)
    try signed.opened().checkContents()
    let base = BaseReference(digest: SHA256.hash([1]), sequence: 2)
    let changes = SampleSection(Changes.sectionID, messages: [Changes([]).encoded])
    let differential = try SampleArchive([changes], signer: Self.key(), sequence: 5, base: base)
    #expect(try lastField(of: differential.bytes()) == Self.field)
    #expect(try differential.stored().facts.base == base)
  }

  @Test func `the signature is over the label, the digest and all three seals`() throws {
    let signed = try SampleArchive(signer: Self.key())
    let bytes = try signed.bytes()
    let trailer = Array(bytes.suffix(256))
    let label = Array("fueki/1 signature of seals".utf8)
    let message = label + trailer[88..<120] + trailer[184..<232]
    #expect(message.count == 106)
    let signature = Array(trailer[120..<184])
    let signer = try Self.key().publicKey
    #expect(Ed25519.isValid(signature: signature, over: message, publicKey: signer))
    let before = Array("fueki/1 signature".utf8) + trailer[88..<120]
    #expect(!Ed25519.isValid(signature: signature, over: before, publicKey: signer))
  }

  @Test func `a replaced seal is found without a secret`() throws {
    let signed = try SampleArchive(signer: Self.key())
    let signer = try Self.key().publicKey
    let good = try signed.stored()
    #expect(good.isSigned(byOneOf: [signer]) && good.provenDigest == signed.written.digest)
    let copy = try stored(signed.bytes().withOtherSeals)
    #expect(copy.statedDigest == signed.written.digest && copy.structuralDamage.isEmpty)
    #expect(throws: ArchiveError.forged(.signature)) { _ = try copy.verify() }
    #expect(throws: ArchiveError.untrusted(.signatureFails)) { _ = try copy.verify(trusting: [signer]) }
    #expect(!copy.isSigned(byOneOf: [signer]) && copy.provenDigest == nil && copy.hasOtherSealsThanSigned)
  }

  @Test func `the trailer that serves decides, whatever the other says`() throws {
    let signed = try SampleArchive(signer: Self.key())
    let (good, copy) = (try signed.bytes(), try signed.bytes().withOtherSeals)
    let serves = try stored(good.dropLast(256) + copy.suffix(256))
    #expect(serves.structuralDamage == [.firstTrailer])
    #expect(throws: ArchiveError.forged(.signature)) { _ = try serves.verify() }
    let other = try stored(copy.dropLast(256) + good.suffix(256))
    let report = try other.verify()
    #expect(report.damage == [.firstTrailer] && report.intact != nil)
  }

  @Test func `where no signature covers the seals, only opening finds a replaced one`() throws {
    for name in ["signed", "everything"] {
      let vector = try Vector.named(name)
      let copy = try stored(vector.bytes().withOtherSeals)
      #expect(!copy.facts.signatureCoversSeals && !copy.hasOtherSealsThanSigned)
      let intact = try #require(try copy.verify().intact)
      #expect(throws: ArchiveError.forged(.seal(.profile))) {
        _ = try intact.unlock(with: vector.facts.reader.secrets)
      }
    }
  }
}
