import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// Checks of another program's real shares, intact and with one fault each.
@Suite(
  .enabled(
    if: Fixtures.folder("tss-lib") != nil && Fixtures.folder("tss-lib-eddsa") != nil,
    "the fixtures are not here"))
struct TssLibShareCheckTests {
  private static let kinds = ["tss-lib", "tss-lib-eddsa"]

  private func shares(_ folder: String) throws -> [ImportedRecords.Share] {
    try CollectorKind(named: "tss-lib").source(at: try #require(Fixtures.folder(folder))).read(
      CollectionRequest()
    ).holdingFiles().shares
  }

  private func check(_ shares: [ImportedRecords.Share]) throws -> ShareSet {
    let known = try shares.map { share in
      try KnownShare(
        share.descriptor, secret: share.secret, encodings: ShareEncoding.all, faults: share.faults)
    }
    return try #require(ShareCheck.run(known, grouping: .oneSet).sets.first)
  }

  private func findings(_ shares: [ImportedRecords.Share]) throws -> [String] {
    try check(shares).findings.map { finding in
      ([finding.id] + (finding.party.map { ["\($0)"] } ?? [])).joined(separator: " ")
    }
  }

  @Test(arguments: kinds) func `the five shares are sound, and any three sign together`(folder: String) throws
  {
    let shares = try shares(folder)
    let set = try check(shares)
    #expect(set.findings.isEmpty && set.threshold == .derived(3) && set.atHand == 5 && set.isEnough)
    #expect(set.shares.allSatisfy { $0.secret == .point([UInt8]($0.descriptor.ownPublicPoint)) })
    for count in 1...4 { #expect(try check(Array(shares.prefix(count))).isEnough == (count >= 3)) }
    // Any three own points yield the key, whatever the files state.
    let own = shares.map { ([UInt8]($0.descriptor.partyID), [UInt8]($0.descriptor.ownPublicPoint)) }
    let curve = try #require(set.curve)
    for left in 0..<5 {
      for right in 0..<left {
        let chosen = own.indices.filter { $0 != left && $0 != right }.map { own[$0] }
        #expect(try CurvePoint.interpolateAtZero(chosen, on: curve) == set.groupKey)
      }
    }
  }

  @Test func `the addresses are those of the shares' key`() throws {
    let ecdsa = try #require(try check(shares("tss-lib")).addresses)
    #expect(ecdsa.evm?.description.lowercased() == "0xde9804c59087830c3cf672a038bae52fa991c5be")
    #expect(try check(shares("tss-lib-eddsa")).addresses?.solana?.isEmpty == false)
  }

  @Test(arguments: kinds) func `one wrong thing each`(folder: String) throws {
    let shares = try shares(folder)
    func findings(_ change: (inout [ImportedRecords.Share]) throws -> Void) throws -> [String] {
      var changed = shares
      try change(&changed)
      return try self.findings(changed)
    }
    func everywhere(_ shares: inout [ImportedRecords.Share], _ change: (inout KeyShareDescriptor) -> Void) {
      for place in shares.indices { change(&shares[place].descriptor) }
    }
    let second = shares[1].descriptor.ownPublicPoint
    #expect(try findings { shares in shares[4].descriptor.points[0].point = second } == ["wrong-point 0"])
    #expect(
      try findings { shares in everywhere(&shares) { $0.points[3].point = second } }
        == ["own-point-not-declared", "wrong-point 3"])
    #expect(
      try findings { shares in everywhere(&shares) { $0.groupPublicKey = second } } == ["wrong-group-key"])
    #expect(try findings { $0[2].descriptor.groupPublicKey = second } == ["mixed-key"])
    #expect(
      try findings { shares in
        shares[0].descriptor.epoch = 1
        shares[1].descriptor.epoch = 2
      } == ["mixed-epoch"])
    #expect(try findings { $0[2] = $0[1] } == ["doubled"])
    #expect(try findings { $0[2].secret = $0[1].secret } == ["secret-differs"])
    #expect(try findings { shares in everywhere(&shares) { $0.threshold = 2 } } == ["threshold-differs"])
    #expect(try findings { $0[2].descriptor.ownPublicPoint[5] ^= 1 }.contains("secret-differs"))
  }

  @Test func `shares of another key are refused by name`() throws {
    let set = try check(Array(shares("tss-lib").prefix(2)) + Array(shares("tss-lib-eddsa").prefix(1)))
    #expect(set.findings.map(\.id) == ["mixed-curve"])
    #expect(set.groupKey == nil && !set.isSound)
    #expect(set.findings[0].sentence.contains("keygen_data_1.json"))
  }

  @Test func `a file with a point off the curve is a share with a fault`() throws {
    let text = String(decoding: try Fixtures.file("tss-lib-eddsa/keygen_data_0.json"), as: UTF8.self)
    let coordinate = "41224335615271381075769974113451208932038734166865770941868367954786737139552"
    let changed = text.replacing(
      coordinate, with: "41224335615271381075769974113451208932038734")
    let folder = try TemporaryDirectory()
    try folder.write(Array(changed.utf8), to: "share")
    let share = try CollectorKind(named: "tss-lib").source(at: folder.path("share")).read(CollectionRequest())
      .holdingFiles()
      .shares
    #expect(try findings(share) == ["fault"])
    #expect(try check(share).findings[0].sentence.contains("the public point of party 0"))
    // The other four state it and agree.
    #expect(try findings(share + shares("tss-lib-eddsa").dropFirst()) == ["fault"])
  }

  @Test func `a secret that is no number is malformed`() throws {
    var shares = try shares("tss-lib-eddsa")
    for text in ["", "{}", "{\"Xi\": 0, \"ShareID\": 1}", "{\"Xi\": \"1\"}", "{\"Xi\": 1"] {
      let bytes = Array(text.utf8)
      shares[0].secret = SharedSecret(try SecretBytes(copying: bytes.span))
      #expect(try findings(shares) == ["secret-malformed"])
    }
  }
}
