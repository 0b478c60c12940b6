import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `Vault shares of Vultisig` {
  private func read(_ vault: SampleVault) throws -> ImportedRecords {
    try CollectorKind.read("vultisig", vault.file(), named: "a.vult")
  }

  @Test func `a vault's shares are proved as far as one file can`() throws {
    let records = try read(SampleVault())
    #expect(records.verdicts == ["proved group-key", "not-proved needs-other-parties"])
    #expect(records.findings.map(\.name) == ["Made vault", "Made vault"])
    #expect(records.shares.map(\.descriptor.threshold) == [2, 2])
    #expect(records.shares.map(\.descriptor.encoding) == ["vultisig-dkls", "vultisig-schnorr"])
    #expect(records.wallets.count == 3 && records.isComplete)
  }

  @Test func `both devices' files together prove both keys`() throws {
    var other = SampleVault()
    (other.own, other.localParty, other.signers) = (1, "Laptop-2", other.signers.reversed())
    let records = try CollectorKind.read(
      "vultisig", [("a.vult", SampleVault().file()), ("b.vult", other.file())])
    #expect(records.shares.count == 4)
    #expect(records.verdicts.allSatisfy { $0 == "proved group-key" })
  }

  /// Faults, and the result for each share.
  private static let faults: [(String, @Sendable (inout SampleVault) throws -> Void, [String])] = [
    (
      "ciphertext",
      {
        $0.replaced[0] = Data(Array("VLT".utf8) + [2] + [UInt8](repeating: 9, count: 90))
          .base64EncodedString()
      },
      ["faulty ciphertext", "not-proved needs-other-parties"]
    ),
    (
      "older ciphertext",
      { $0.replaced[1] = Data([UInt8](repeating: 0xA9, count: 160)).base64EncodedString() },
      ["faulty ciphertext", "proved group-key"]
    ),
    (
      "cut seeds",
      { vault in
        vault.replaced[0] = Data(try dklsKeyshare(vault.ecdsa, own: 0, total: 2).dropLast(16))
          .base64EncodedString()
      }, ["faulty length", "not-proved needs-other-parties"]
    ),
    (
      "another vault's share",
      { vault in
        var other = vault.ecdsa
        other.base = 99
        vault.replaced[0] = Data(try dklsKeyshare(other, own: 0, total: 2)).base64EncodedString()
      }, ["faulty foreign-share", "not-proved needs-other-parties"]
    ),
    (
      "another party's secret",
      { vault in
        var bytes = try dklsKeyshare(vault.ecdsa, own: 0, total: 2)
        bytes.replaceSubrange(140..<172, with: vault.ecdsa.value(2))
        vault.replaced[0] = Data(bytes).base64EncodedString()
      }, ["faulty secret-differs", "not-proved needs-other-parties"]
    ),
    (
      "words", { $0.replaced[1] = "not a share!" }, ["faulty malformed", "proved group-key"]
    ),
    (
      "another chain code", { $0.chainCode = String(repeating: "dd", count: 32) },
      ["faulty other-address", "not-proved needs-other-parties"]
    ),
  ]

  @Test(arguments: 0..<faults.count) func `what is no share of the vault is named, and kept`(_ place: Int)
    throws
  {
    let (what, change, expected) = Self.faults[place]
    var vault = SampleVault()
    try change(&vault)
    let records = try read(vault)
    #expect(Set(records.verdicts) == Set(expected), "\(what): \(records.verdicts)")
    let kept = records.secretFiles.reduce(0) { $0 + $1.content.bytes.count }
    #expect(try kept == vault.file().count, "\(what)")
  }

  @Test func `shares of before and after a reshare are told apart`() throws {
    let records = try CollectorKind.read(
      "vultisig",
      [("a.vult", SampleVault().file()), ("b.vult", try Self.reshared(own: 1).file())])
    #expect(records.findings.filter { $0.result == .faulty(.staleShare) }.count == 2, "\(records.verdicts)")
  }

  /// Returns a vault with the same ECDSA key, whose polynomial has another slope.
  private static func reshared(own: UInt8) throws -> SampleVault {
    var vault = SampleVault()
    (vault.own, vault.localParty) = (own, "Laptop-2")
    vault.replaced[0] = try otherCeremony(vault.ecdsa, own: own)
    return vault
  }

  /// Returns a share of a polynomial's key from another ceremony.
  private static func otherCeremony(_ polynomial: SamplePolynomial, own: UInt8) throws -> String {
    var bytes = try dklsKeyshare(polynomial, own: own, total: 2)
    // Slope 78 becomes 80: the value at x increases by 2·x.
    func value(_ x: UInt8) -> [UInt8] {
      let old = polynomial.value(x)
      return old.dropLast(2) + [old[30], old[31] &+ 2 * x]
    }
    bytes.replaceSubrange(140..<172, with: value(own + 1))
    for party in 0..<2 {
      let point = try SamplePolynomial.point(of: value(UInt8(party) + 1), on: .secp256k1)
      bytes.replaceSubrange(172 + party * 98 + 1..<172 + party * 98 + 34, with: point)
    }
    return Data(bytes).base64EncodedString()
  }

  // MARK: vaults made from a seed phrase

  private static let bitcoin = SamplePolynomial(curve: .secp256k1, threshold: 2, base: 101)
  private static let ethereum = SamplePolynomial(curve: .secp256k1, threshold: 2, base: 121)
  private static let solana = SamplePolynomial(curve: .ed25519, threshold: 2, base: 131)

  /// Returns a vault with a key and a share for each of three chains.
  private static func imported(own: UInt8 = 0) throws -> SampleVault {
    var vault = SampleVault()
    (vault.own, vault.localParty) = (own, vault.signers[Int(own)])
    vault.library = 2
    vault.chains = try [
      ("Bitcoin", Hex.encode(bitcoin.key)), ("Ethereum", Hex.encode(ethereum.key)),
      ("Solana", Hex.encode(solana.key)),
    ]
    vault.more = try [bitcoin, ethereum].map { polynomial in
      try (
        Hex.encode(polynomial.key),
        Data(dklsKeyshare(polynomial, own: own, total: 2)).base64EncodedString()
      )
    }
    vault.more.append(
      try (
        Hex.encode(solana.key), Data(schnorrKeyshare(solana, own: own, total: 2)).base64EncodedString()
      ))
    return vault
  }

  @Test func `addresses of a vault from a seed phrase come from each chain's own key`() throws {
    let records = try read(Self.imported())
    #expect(records.findings.allSatisfy { !$0.isFaulty }, "\(records.verdicts)")
    #expect(records.shares.count == 5)
    let addresses = records.wallets.map { PackedText.text($0.address) }
    #expect(records.wallets.map(\.chainID) == ["bitcoin", "1", "mainnet"])
    let evm = try KeyAddresses(of: Self.ethereum.key, on: .secp256k1).evm?.description
    #expect(addresses.count == 3 && addresses[1] == evm, "\(addresses)")
    #expect(try addresses.last == Base58.encode(Self.solana.key))
    #expect(addresses.first??.hasPrefix("bc1q") == true)
    // Addresses derived from the root key are unspendable.
    let derived = try read(SampleVault()).wallets.map { PackedText.text($0.address) }
    #expect(Set(addresses).isDisjoint(with: derived))
  }

  @Test func `a vault from a seed phrase that lacks a chain's share is not whole`() throws {
    var vault = try Self.imported()
    vault.more.remove(at: 1)
    let records = try read(vault)
    let missing = records.findings.filter { $0.result == .faulty(.missingShare) }
    #expect(try missing.map(\.detail) == ["Ethereum \(Hex.encode(Self.ethereum.key))"])
    #expect(records.findings.count { $0.isFaulty } == 1, "\(records.verdicts)")
  }

  @Test func `shares of two ceremonies for one key are of no other epoch`() throws {
    // Two chains with one key, each from a separate ceremony.
    let files = try (UInt8(0)...1).map { own in
      var vault = try Self.imported(own: own)
      let key = try Hex.encode(Self.ethereum.key)
      vault.chains.append(("BSC", key))
      vault.more.append((key, try Self.otherCeremony(Self.ethereum, own: own)))
      return try vault.file()
    }
    let both = try CollectorKind.read("vultisig", [("a.vult", files[0]), ("b.vult", files[1])])
    #expect(both.findings.allSatisfy { !$0.isFaulty }, "\(both.verdicts)")
    #expect(both.shares.count == 12)
    // A reshare by the same devices is still detected.
    var later = try Self.imported(own: 1)
    later.more[1].share = try Self.otherCeremony(Self.ethereum, own: 1)
    let mixed = try CollectorKind.read(
      "vultisig", [("a.vult", try Self.imported().file()), ("b.vult", try later.file())])
    #expect(mixed.findings.count { $0.result == .faulty(.staleShare) } == 2, "\(mixed.verdicts)")
    // Another vault of the same phrase, with other devices, is not a reshare.
    later.signers = ["Tablet-3", "Laptop-2"]
    let two = try CollectorKind.read(
      "vultisig", [("a.vult", try Self.imported().file()), ("b.vult", try later.file())])
    #expect(two.findings.allSatisfy { !$0.isFaulty }, "\(two.verdicts)")
  }

  @Test func `two chains' vaults with one key, exported into one file, are of no other epoch`() throws {
    func vault(_ chain: String, _ share: String) throws -> [UInt8] {
      var vault = try Self.imported()
      let key = try Hex.encode(Self.ethereum.key)
      vault.chains = [(chain, key)]
      vault.more = [(key, share)]
      return try vault.file()
    }
    let own = try Data(dklsKeyshare(Self.ethereum, own: 0, total: 2)).base64EncodedString()
    let other = try Self.otherCeremony(Self.ethereum, own: 0)
    for second in ["BSC", "Ethereum"] {
      let records = try CollectorKind.read(
        "vultisig", [("a.vult", try vault("Ethereum", own)), ("b.vult", try vault(second, other))])
      let stale = records.findings.count { $0.result == .faulty(.staleShare) }
      #expect(stale == (second == "BSC" ? 0 : 2), "\(second): \(records.verdicts)")
    }
  }

  @Test func `an entry of an earlier key is kept, and marked`() throws {
    var vault = SampleVault()
    let old = SamplePolynomial(curve: .secp256k1, threshold: 2, base: 33)
    vault.more = [
      (Hex.encode(try old.key), Data(try dklsKeyshare(old, own: 0, total: 2)).base64EncodedString())
    ]
    let records = try read(vault)
    #expect(
      records.verdicts == [
        "proved group-key", "not-proved needs-other-parties", "not-proved other-key",
      ])
    #expect(records.shares.count == 3)
  }

  @Test func `a vault without a share for its key is no backup`() throws {
    var vault = SampleVault()
    let other = SamplePolynomial(curve: .secp256k1, threshold: 2, base: 33)
    let text = Data(try dklsKeyshare(other, own: 0, total: 2)).base64EncodedString()
    var message = ProtobufMessage()
    message.add(1, "n")
    message.add(2, Hex.encode(try vault.ecdsa.key))
    var entry = ProtobufMessage()
    entry.add(1, Hex.encode(try other.key))
    entry.add(2, text)
    message.add(7, entry.bytes)
    let records = try CollectorKind.read("vultisig", SampleVault.file(message.bytes))
    #expect(records.verdicts.contains("faulty foreign-share"))
    vault.name = ""
    #expect(try read(vault).findings.map(\.name) == ["a.vult", "a.vult"])
  }

  @Test func `whose device it is, is remarked on`() throws {
    var vault = SampleVault()
    vault.localParty = "Tablet-3"
    #expect(try read(vault).problems.contains { $0.problem.contains("none of the vault's signers") })
    (vault.localParty, vault.signers) = ("Server-1", ["Server-1", "Phone-1"])
    #expect(try read(vault).problems.contains { $0.problem.contains("server's share") })
  }
}
