import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// The suites of supported groups, with the CRC-32 at the start of their packages.
private let suites: [(name: String, curve: Curve, mark: String)] = [
  ("FROST-ED25519-SHA512-v1", .ed25519, "b169f0da"), ("FROST-secp256k1-SHA256-v1", .secp256k1, "eed6b1b1"),
  ("FROST-secp256k1-SHA256-TR-v1", .secp256k1, "230f8ab3"), ("FROST-P256-SHA256-v1", .p256, "a132f0c9"),
  ("FROST-RISTRETTO255-SHA512-v1", .ristretto255, "d76ecff5"),
]

/// Packages of a public polynomial.
private struct Packages {
  let suite: (name: String, curve: Curve, mark: String)
  var polynomial: SamplePolynomial

  init(_ place: Int, threshold: Int = 2) {
    suite = suites[place]
    polynomial = SamplePolynomial(curve: suite.curve, threshold: threshold)
  }

  func number(_ bytes: [UInt8]) -> String {
    let isLittle = suite.curve == .ed25519 || suite.curve == .ristretto255
    return Hex.encode(isLittle ? bytes.reversed() : bytes)
  }

  private var header: String { #""header":{"version":0,"ciphersuite":"\#(suite.name)"}"# }

  func key(_ party: UInt8, secret: [UInt8]? = nil) throws -> [UInt8] {
    let share = number(secret ?? polynomial.value(party))
    let (own, key) = (Hex.encode(try polynomial.point(party)), Hex.encode(try polynomial.key))
    return Array(
      #"{\#(header),"identifier":"\#(number(padded(party)))","signing_share":"\#(share)","verifying_share":"\#(own)","verifying_key":"\#(key)","min_signers":\#(polynomial.threshold)}"#
        .utf8)
  }

  func secretShare(_ party: UInt8) throws -> [UInt8] {
    var points: [String] = []
    for power in 0..<polynomial.threshold {
      let point = try SamplePolynomial.point(of: padded(polynomial.base + UInt8(power)), on: suite.curve)
      points.append("\"\(Hex.encode(point))\"")
    }
    return Array(
      #"{\#(header),"identifier":"\#(number(padded(party)))","signing_share":"\#(number(polynomial.value(party)))","commitment":[\#(points.joined(separator: ","))]}"#
        .utf8)
  }

  func all(_ parties: ClosedRange<UInt8> = 1...3) throws -> [UInt8] {
    let shares = try parties.map { #""\#(number(padded($0)))":"\#(Hex.encode(try polynomial.point($0)))""# }
    return Array(
      #"{\#(header),"verifying_shares":{\#(shares.joined(separator: ","))},"verifying_key":"\#(Hex.encode(try polynomial.key))"}"#
        .utf8)
  }

  /// Returns a key package's postcard as hexadecimal text.
  func postcard(_ party: UInt8) throws -> String {
    let numbers = number(padded(party)) + number(polynomial.value(party))
    return "00" + suite.mark + numbers + Hex.encode(try polynomial.point(party))
      + Hex.encode(try polynomial.key) + Hex.encode([UInt8(polynomial.threshold)])
  }

  func publicPostcard() throws -> String {
    let shares = try (1...3).map { number(padded($0)) + Hex.encode(try polynomial.point($0)) }
    return "00" + suite.mark + "03" + shares.joined() + Hex.encode(try polynomial.key) + "0102"
  }
}

@Suite struct `Packages of FROST` {
  private func read(_ bytes: [UInt8]) throws -> ImportedRecords { try CollectorKind.read("frost", bytes) }

  @Test(arguments: suites.indices) func `a package of each suite is proved`(_ suite: Int) throws {
    let packages = Packages(suite)
    let alone = try read(packages.key(1))
    #expect(alone.verdicts == ["proved public-key"])
    #expect(alone.secretFiles.count == 1 && alone.files.isEmpty)
    let share = try #require(alone.shares.first)
    #expect(share.descriptor.curve == packages.suite.curve.rawValue && share.descriptor.threshold == 2)
    #expect(try read(packages.secretShare(2)).verdicts == ["proved group-key"])
    let together = try CollectorKind.read(
      "frost", [("a.json", packages.key(1)), ("b.json", packages.key(2)), ("p.json", packages.all())])
    #expect(together.verdicts.sorted() == ["proved group-key", "proved group-key", "public-part "])
    #expect(together.files.count == 1 && together.secretFiles.count == 2)
    #expect(
      try read(packages.key(1, secret: packages.polynomial.value(2))).verdicts == ["faulty secret-differs"])
  }

  /// The suites' names in the libraries of 2023, without a header and with other members.
  @Test(arguments: [
    (0, "FROST(Ed25519, SHA-512)"), (1, "FROST(secp256k1, SHA-256)"), (3, "FROST(P-256, SHA-256)"),
    (4, "FROST(ristretto255, SHA-512)"),
  ])
  func `packages of 2023 are read as what they are`(_ suite: Int, _ name: String) throws {
    let packages = Packages(suite)
    func older(_ bytes: [UInt8], isDealt: Bool = false) -> [UInt8] {
      var text = String(decoding: bytes, as: UTF8.self)
      let header = #""header":{"version":0,"ciphersuite":"\#(packages.suite.name)"}"#
      text = text.replacing(header, with: #""ciphersuite":"\#(name)""#)
      let names = [
        "verifying_shares": "signer_pubkeys", "verifying_share": "public", "verifying_key": "group_public",
        "signing_share": isDealt ? "value" : "secret_share",
      ]
      for (new, old) in names { text = text.replacing("\"\(new)\"", with: "\"\(old)\"") }
      return Array(text.utf8)
    }
    let files = try [
      ("a.json", older(packages.key(1))), ("b.json", older(packages.secretShare(2), isDealt: true)),
      ("p.json", older(packages.all())),
    ]
    let records = try CollectorKind.read("frost", files)
    #expect(records.verdicts.sorted() == ["proved group-key", "proved group-key", "public-part "])
    #expect(records.shares.allSatisfy { $0.descriptor.curve == packages.suite.curve.rawValue })
    #expect(records.secretFiles.count == 2 && records.files.count == 1)
    let folder = try TemporaryDirectory()
    for (name, bytes) in files {
      try folder.write(bytes, to: name)
      #expect(try CollectorKind.recognised(at: folder.path(name))?.name == "frost", "\(name)")
    }
    let wrong = try older(packages.key(1, secret: packages.polynomial.value(2)))
    #expect(try read(wrong).verdicts == ["faulty secret-differs"])
  }

  @Test(arguments: suites.indices) func `postcard is read, as bytes and as digits`(_ suite: Int) throws {
    let packages = Packages(suite)
    let digits = try packages.postcard(3)
    #expect(try read(Array(digits.utf8)).verdicts == ["proved public-key"])
    let bytes = try #require(Hex.decode(digits))
    #expect(try read(bytes).verdicts == ["proved public-key"])
    #expect(try read(Array(packages.publicPostcard().utf8)).verdicts == ["public-part "])
    #expect(try read(Array(bytes.dropLast(3))).verdicts == ["faulty length"])
  }

  @Test func `a package of before a refresh is named beside the group's new one`() throws {
    let old = Packages(0)
    // The same constant with another slope.
    let records = try CollectorKind.read(
      "frost", [("a.json", old.key(1)), ("p.json", Packages(0, threshold: 3).all(1...4))])
    #expect(records.verdicts.contains("faulty stale-share"), "\(records.verdicts)")
  }

  @Test func `a threshold of one is the whole key`() throws {
    let records = try read(Packages(1, threshold: 1).secretShare(1))
    #expect(records.verdicts == ["proved whole-key"])
  }

  @Test func `nonces are refused`() throws {
    let header = #""header":{"version":0,"ciphersuite":"FROST-ED25519-SHA512-v1"}"#
    let nonces = Array(#"{\#(header),"hiding":"00","binding":"00"}"#.utf8)
    #expect(throws: ForeignFileError.self) { try read(nonces) }
    let packages = Packages(0)
    let records = try CollectorKind.read("frost", [("a", packages.key(1)), ("n", nonces)])
    #expect(records.excluded.contains { $0.what == "n" && $0.reason.contains("nonces") })
    #expect(records.secretFiles.count == 1)
    let point = Hex.encode(try packages.polynomial.key)
    let head = "00b169f0da"
    let binary = head + String(repeating: "01", count: 64) + head + point + point
    #expect(throws: ForeignFileError.self) { try read(Hex.decode(binary) ?? []) }
  }

  @Test func `suites that are not computed are kept by their shape`() throws {
    let number = String(repeating: "01", count: 57)
    let text =
      #"{"header":{"version":0,"ciphersuite":"FROST-ED448-SHAKE256-v1"},"identifier":"\#(number)","signing_share":"\#(number)","verifying_share":"\#(number)","verifying_key":"\#(number)","min_signers":2}"#
    let records = try read(Array(text.utf8))
    #expect(records.verdicts == ["not-proved unknown-scheme"] && records.secretFiles.count == 1)
  }

  @Test func `the client's file gives the packages of its groups`() throws {
    let packages = Packages(0)
    let toml = """
      version = 0
      [communication_key]
      privkey = "aa"
      [group.00]
      description = "d"
      key_package = "\(try packages.postcard(1))"
      public_key_package = "\(try packages.publicPostcard())"
      """
    let records = try CollectorKind.read("frost", Array(toml.utf8), named: "credentials.toml")
    #expect(records.verdicts == ["proved group-key"] && records.secretFiles.count == 1)
  }
}

/// Packages of real groups, and the library's own samples.
@Suite(.enabled(if: Fixtures.folder("wallets/frost") != nil, "the fixtures are not here"))
struct FROSTFixtureTests {
  private func read(_ path: String) throws -> ImportedRecords {
    let folder = try #require(Fixtures.folder("wallets/frost"))
    return try CollectorKind(named: "frost").source(at: "\(folder)/\(path)").read(.withSecrets).holdingFiles()
  }

  @Test func `a group's packages are proved together`() throws {
    let records = try read("hubert")
    #expect(records.verdicts.sorted() == ["proved group-key", "proved group-key", "public-part "])
    let key = "5f8de84b15d7ba8e8f956ff63a2f7c3baffba0e114147c62bb51a61d581c92f3"
    #expect(records.findings.allSatisfy { $0.detail.hasSuffix(key) })
    #expect(records.shares.map(\.descriptor.threshold) == [2, 2])
    let known = try records.shares.map {
      try KnownShare($0.descriptor, secret: $0.secret, encodings: ShareEncoding.all)
    }
    let set = try #require(ShareCheck.run(known, grouping: .oneSet).sets.first)
    #expect(set.isSound && set.isEnough, "\(set.findings)")
  }

  @Test func `a dealer's shares`() throws {
    #expect(try read("secret_share-ed25519-t3-a.json").verdicts == ["proved group-key"])
    let taproot = try read("secp256k1-tr")
    #expect(taproot.verdicts.sorted() == ["proved group-key", "public-part "])
    #expect(taproot.shares[0].descriptor.protocol == "frost-taproot")
  }

  @Test func `what is not its point's is named`() throws {
    let records = try read("unsound-secp256k1-key_package.json")
    #expect(records.verdicts == ["faulty secret-differs"] && records.secretFiles.count == 1)
    for name in [
      "ed25519-key_package", "secp256k1-key_package", "secp256k1-secret_share", "ed25519-secret_share",
    ] {
      let text = try String(decoding: Fixtures.file("wallets/frost/postcard/\(name).snap"), as: UTF8.self)
      let digits = try #require(text.split(separator: "\n").last)
      let records = try CollectorKind.read("frost", Array(digits.utf8))
      #expect(records.verdicts == ["faulty secret-differs"], "\(name)")
    }
  }
}
