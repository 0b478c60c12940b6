import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// A CBOR value as written by another program.
indirect enum CBORSample {
  case number(UInt64), bytes([UInt8]), text(String), list([CBORSample]), map([(String, CBORSample)])

  var encoded: [UInt8] {
    switch self {
    case .number(let value): Self.head(0, value)
    case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
    case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
    case .list(let all): Self.head(4, UInt64(all.count)) + all.flatMap(\.encoded)
    case .map(let all):
      Self.head(5, UInt64(all.count)) + all.flatMap { CBORSample.text($0.0).encoded + $0.1.encoded }
    }
  }

  private static func head(_ major: UInt8, _ value: UInt64) -> [UInt8] {
    if value < 24 { return [major << 5 | UInt8(value)] }
    if value < 256 { return [major << 5 | 24, UInt8(value)] }
    return [major << 5 | 25, UInt8(value >> 8), UInt8(value & 255)]
  }
}

@Suite struct `Key shares of cggmp21` {
  private static let names: [Curve: String] = [
    .secp256k1: "secp256k1", .p256: "secp256r1", .stark: "stark", .ed25519: "ed25519",
  ]

  private func core(
    _ polynomial: SamplePolynomial, own: UInt8 = 0, secret: [UInt8]? = nil
  ) throws -> CBORSample {
    let name = Self.names[polynomial.curve] ?? ""
    return .map([
      ("curve", .text(name)), ("i", .number(UInt64(own))), ("shared_public_key", .bytes(try polynomial.key)),
      ("public_shares", .list(try (1...3).map { .bytes(try polynomial.point($0)) })),
      (
        "vss_setup",
        .map([
          ("min_signers", .number(UInt64(polynomial.threshold))),
          ("I", .list((1...3).map { .bytes(padded($0)) })),
        ])
      ),
      ("x", .bytes(secret ?? polynomial.value(own + 1))),
    ])
  }

  private func read(_ sample: CBORSample) throws -> ImportedRecords {
    try CollectorKind.read("cggmp21", sample.encoded)
  }

  @Test(arguments: [Curve.secp256k1, .p256, .stark, .ed25519])
  func `shares of each curve are proved`(_ curve: Curve) throws {
    let polynomial = SamplePolynomial(curve: curve, threshold: 2)
    let records = try read(core(polynomial, own: 1))
    #expect(records.verdicts == ["proved group-key"] && records.shares[0].descriptor.threshold == 2)
    let wrong = try read(core(polynomial, secret: polynomial.value(3)))
    #expect(wrong.verdicts == ["faulty secret-differs"] && wrong.secretFiles.count == 1)
    let whole = try read(core(SamplePolynomial(curve: curve, threshold: 1)))
    #expect(whole.verdicts == ["proved whole-key"])
  }

  @Test func `a share that its program wrapped is found`() throws {
    let share = try self.core(SamplePolynomial(curve: .p256, threshold: 2))
    #expect(try read(.map([("id", .number(1)), ("key_share", share)])).verdicts == ["proved group-key"])
    // Two in one file do not make one share.
    #expect(try read(.map([("a", share), ("b", share)])).verdicts == ["faulty malformed"])
  }

  @Test func `primes in an unknown form are no fault, and missing ones are`() throws {
    let core = try self.core(SamplePolynomial(curve: .secp256k1, threshold: 2))
    func share(_ p: CBORSample, _ members: [String] = ["p", "q"]) -> CBORSample {
      let parties = CBORSample.list((0..<3).map { _ in .map([("N", .bytes([35]))]) })
      return .map([
        ("core", core),
        ("aux", .map(members.map { ($0, $0 == "p" ? p : .bytes([7])) } + [("parties", parties)])),
      ])
    }
    #expect(try read(share(.bytes([5]))).verdicts == ["proved group-key"])
    #expect(try read(share(.bytes([3]))).verdicts == ["faulty secret-differs"])
    #expect(try read(share(.bytes([5]), ["q"])).verdicts == ["faulty malformed"])
    // Some libraries write a number's digits as a list.
    let unread = try read(share(.list([.number(5)])))
    #expect(unread.verdicts == ["proved group-key"])
    #expect(unread.problems.contains { $0.problem.contains("form that is not read here") })
  }

  @Test func `shares without a polynomial are added up`() throws {
    let polynomial = SamplePolynomial(curve: .secp256k1, threshold: 1)
    let points = try [3, 4, 5].map { try SamplePolynomial.point(of: padded($0), on: .secp256k1) }
    func share(key: UInt8) throws -> CBORSample {
      .map([
        ("curve", .text("secp256k1")), ("i", .number(1)),
        ("shared_public_key", .bytes(try SamplePolynomial.point(of: padded(key), on: .secp256k1))),
        ("public_shares", .list(points.map { .bytes($0) })), ("x", .bytes(padded(4))),
      ])
    }
    #expect(polynomial.threshold == 1)
    let records = try read(share(key: 12))
    #expect(records.verdicts == ["proved group-key"] && records.shares[0].descriptor.threshold == 3)
    #expect(try read(share(key: 13)).verdicts == ["faulty group-differs"])
  }

  @Test func `shares of two epochs are told apart`() throws {
    let old = SamplePolynomial(curve: .secp256k1, threshold: 2)
    let new = SamplePolynomial(curve: .secp256k1, threshold: 3)
    let records = try CollectorKind.read(
      "cggmp21",
      [("a", core(old).encoded), ("b", core(new, own: 1).encoded), ("c", core(new, own: 2).encoded)])
    #expect(records.verdicts.filter { $0 == "faulty stale-share" }.count == 1, "\(records.verdicts)")
  }

  @Test func `no cut and no changed byte stops the reader`() throws {
    let bytes = try core(SamplePolynomial(curve: .secp256k1, threshold: 2)).encoded
    for end in 1..<bytes.count where end % 3 == 0 {
      let records = try CollectorKind.read("cggmp21", Array(bytes[..<end]))
      #expect(records.findings.allSatisfy(\.isFaulty) && records.secretFiles.count == 1)
    }
    for index in bytes.indices where index % 2 == 0 {
      var changed = bytes
      changed[index] ^= 1 << UInt8(index % 7)
      #expect(try CollectorKind.read("cggmp21", changed).secretFiles.count == 1)
    }
  }
}

@Suite struct `Key shares of multi-party-sig` {
  private func config(
    _ polynomial: SamplePolynomial, secret: [UInt8]? = nil, modulus: [UInt8] = [0x23]
  ) throws -> CBORSample {
    // The party's name is its x coordinate: "a" is 0x61.
    let names = ["a", "b", "c"]
    return .map([
      ("ID", .text("a")), ("Threshold", .number(UInt64(polynomial.threshold - 1))),
      ("ECDSA", .bytes(secret ?? polynomial.value(0x61))), ("ElGamal", .bytes(padded(9))), ("P", .bytes([5])),
      ("Q", .bytes([7])), ("RID", .bytes(padded(1))), ("ChainKey", .bytes(padded(2))),
      (
        "Public",
        .list(
          try names.map { name in
            .map([
              ("ID", .text(name)), ("ECDSA", .bytes(try polynomial.point(Array(name.utf8)[0]))),
              ("ElGamal", .bytes(try SamplePolynomial.point(of: padded(9), on: .secp256k1))),
              ("N", .bytes(modulus)), ("S", .bytes([1])), ("T", .bytes([1])),
            ])
          })
      ),
    ])
  }

  private func read(_ sample: CBORSample) throws -> ImportedRecords {
    try CollectorKind.read("multi-party-sig", sample.encoded)
  }

  @Test func `a share is proved, bare and wrapped`() throws {
    let polynomial = SamplePolynomial(curve: .secp256k1, threshold: 2)
    let share = try config(polynomial)
    for sample in [share, .bytes(share.encoded)] {
      let records = try read(sample)
      #expect(records.verdicts == ["proved group-key"])
      #expect([UInt8](records.shares[0].descriptor.groupPublicKey) == (try polynomial.key))
    }
    #expect(
      try read(config(polynomial, secret: polynomial.value(0x62))).verdicts == ["faulty secret-differs"])
    #expect(try read(config(polynomial, modulus: [0x24])).verdicts == ["faulty secret-differs"])
  }

  @Test func `a threshold of zero is the whole key`() throws {
    let records = try read(config(SamplePolynomial(curve: .secp256k1, threshold: 1)))
    #expect(records.verdicts == ["proved whole-key"])
    #expect(records.problems.contains { $0.problem.contains("whole key") })
  }
}

/// Shares written by the libraries themselves.
@Suite(.enabled(if: Fixtures.folder("wallets/cggmp21") != nil, "the fixtures are not here"))
struct ThresholdFixtureTests {
  private func read(_ kind: String, _ path: String) throws -> ImportedRecords {
    let folder = try #require(Fixtures.folder("wallets"))
    return try CollectorKind(named: kind).source(at: "\(folder)/\(path)").read(CollectionRequest())
      .holdingFiles()
  }

  private func key(_ records: ImportedRecords) -> String {
    records.shares.first.map { Hex.encode([UInt8]($0.descriptor.groupPublicKey)) } ?? ""
  }

  @Test(arguments: ["v0.1.1", "v0.2.1", "v0.2.3"]) func `every version of the core is proved`(
    _ version: String
  ) throws {
    let folder = try #require(Fixtures.folder("wallets/cggmp21/core/\(version)"))
    for entry in try Directory.open(folder).list() {
      let name = String(decoding: entry.name, as: UTF8.self)
      let records = try read("cggmp21", "cggmp21/core/\(version)/\(name)")
      #expect(records.verdicts == ["proved group-key"], "\(name)")
      let threshold = name.contains("threshold-true") ? 3 : 5
      #expect(records.shares[0].descriptor.threshold == threshold && records.shares[0].descriptor.total == 5)
    }
  }

  @Test func `whole shares of cggmp21`() throws {
    let group = "0214ab7bdc99e1708e342b31da79a6e13ddce94cee94b83c617d4b5d6f41c23367"
    for party in 0...1 {
      let records = try read("cggmp21", "cggmp21/full/t2n3-secp256k1-party\(party).json")
      #expect(records.verdicts == ["proved group-key"] && key(records) == group)
      #expect(records.findings[0].detail == "2 of 3, \(group)")
    }
    let additive = try read("cggmp21", "cggmp21/full/additive-n2-secp256k1-party0.json")
    #expect(additive.verdicts == ["proved group-key"])
    #expect(key(additive) == "024d021791dd304b3e85b149ca6935524d66355d2f9366330c5b7c4e108472dec7")
  }

  @Test func `shares of multi-party-sig, and Sygma's`() throws {
    for (path, group, count) in [
      ("cmp-bare/config-a.cbor", "032c1d254cc77c3deba2ce3a688e58b2bb8e7f3de91c2c30b6292c9330c8b87c51", 2),
      (
        "cmp-wrapped/keygen_result_a.data",
        "02ae0f36408aa8f275a3cb0ba111c3eb2405e628f4af086e468456f5b50d84d242", 4
      ),
      (
        "cmp-wrapped/keygen_result_b.data",
        "02ae0f36408aa8f275a3cb0ba111c3eb2405e628f4af086e468456f5b50d84d242", 4
      ),
      ("sygma/0-frost.keyshare", "0263f4b4ab0bb1d6a364bde810aead8dd571cea18586e2a84d6a640e6ff80cb421", 2),
      ("sygma/0.keyshare", "03dca0d4d11392b7d3947d48b8d85683f4391036d5b326d291139beeeac4da201c", 2),
    ] {
      let records = try read("multi-party-sig", "multi-party-sig/\(path)")
      #expect(records.verdicts == ["proved group-key"], "\(path) \(records.verdicts)")
      #expect(key(records) == group && Int(records.shares[0].descriptor.threshold) == count, "\(path)")
      let name = try #require(path.split(separator: "/").last)
      let folder = try #require(
        Fixtures.folder("wallets/multi-party-sig/\(path.dropLast(name.utf8.count + 1))"))
      #expect(try CollectorKind.recognised(at: "\(folder)/\(name)")?.name == "multi-party-sig", "\(path)")
    }
  }

  @Test func `bare keyshares of dkls23`() throws {
    let records = try read("dkls23", "dkls23")
    #expect(records.verdicts == ["proved group-key", "not-proved needs-other-parties"])
    #expect(key(records) == "0333e3d4df9cc071be24fd6c995421036074a1a88e5d3e0bc211b7ef4330078d9b")
  }
}
