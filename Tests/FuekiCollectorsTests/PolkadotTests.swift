import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// An account published with its password in the tests of polkadot-js (Apache-2.0), and variants of it.
struct PolkadotTests {
  static let address = "FLiSDPCcJ6auZUGXALLj6jpahcP6adVFDBUQznPXUQ7yoqH"
  static let published =
    #"{"address":"\#(address)","encoded":"ILjSgYaGvq1zaCz/kx+aqfLaHBjLXz0Qsmr6RnkOVU4AgAAAAQAAAAgAAAB5R2hm5kgXyc0N"#
    + "QYFxvMU4zCdjB+ugs/ibEooqCvuudbaeKn3Ee47NkCqU1ecOJV+eeaVn4W4dRvIpj5kGmQOGsewR+MiQ/B0G9NFh7JXV0qcPlk2QMNW1"
    + "/mbJrTO4miqL448BSkP7ZOhUV6HFUpMt3B9HwjiRLN8RORcFp0ID/Azs4Jl/xOpXNzbgQGIffWgCIKTxN9N1ku6tdlG4"
    + #"","encoding":{"content":["pkcs8","sr25519"],"type":["scrypt","xsalsa20-poly1305"],"version":"3"},"meta":{}}"#
  private static let other = "5CczAE5AmGrZ93MeVhha3Ywam7j9dKB7cArnH7gtrXcMFJvu"

  private func read(_ text: String, _ password: String? = nil) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "account.json")
    #expect(try CollectorKind.recognised(at: folder.path)?.name == "polkadot")
    return try CollectorKind(named: "polkadot")
      .source(at: folder.path, passphrase: password.map { ForeignFiles.asking($0) })
      .read(.forBackup).holdingFiles()
  }

  @Test func `the password of an account proves its address`() throws {
    let open = try read(Self.published, "version3")
    #expect(open.findings.map(\.result) == [.proved(.address)])
    #expect(open.findings.first?.detail == Self.address)
    #expect(open.files.map { [UInt8]($0.content) } == [Array(Self.published.utf8)])
    #expect(try read(Self.published).findings.map(\.result) == [.notProved(.needsPassword)])
    #expect(try read(Self.published, "version2").findings.map(\.result) == [.notProved(.wrongPassword)])
  }

  @Test func `another's address is told, and what is cut is not sound`() throws {
    let other = Self.published.replacing(Self.address, with: Self.other)
    #expect(try read(other, "version3").findings.map(\.result) == [.faulty(.otherAddress)])
    let cut = String(Self.published.dropLast(20))
    #expect(try read(cut).findings.map(\.result) == [.faulty(.malformed)])
  }
}
