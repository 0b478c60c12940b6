import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

@Suite struct `Wallets of Monero` {
  private static let here = Fixtures.folder("monero") != nil

  private func read(_ path: String, _ password: String? = nil, secrets: Bool = true) throws -> ImportedRecords
  {
    var request = CollectionRequest.forBackup
    request.includesPrivateKeys = secrets
    return try CollectorKind(named: "monero")
      .source(at: path, passphrase: password.map { ForeignFiles.asking($0) }).read(request).holdingFiles()
  }

  private func judged(
    _ bytes: [UInt8], _ password: String? = "test", address: String? = nil
  ) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "a.keys")
    if let address { try folder.write(Array(address.utf8), to: "a.address.txt") }
    return try read(folder.path, password)
  }

  @Test(.enabled(if: here, "the fixtures are not here")) func `published wallets are proved`() throws {
    let folder = try #require(Fixtures.folder("monero"))
    let records = try read(folder, "test")
    #expect(
      records.files.map { String(decoding: $0.path, as: UTF8.self) } == [
        "wallet_00fd416a.keys", "wallet_9svHk1", "wallet_9svHk1.keys",
      ])
    // The first has another password, as monero-wallet-cli reports too.
    #expect(records.findings.map(\.result) == [.notProved(.wrongPassword), .proved(.address)])
    // The second is identified by its address.
    #expect(
      records.findings.map(\.detail).last
        == "9svHk1wHPo3ULf2AZykghzcye6sitaRE4MaDjPC6uanTHCynHjJHZaiAb922PojE1GexhhRt1LVf5DC43feyrRZMLXQr3mk")
    #expect(records.wallets.map(\.network) == ["testnet"])
    #expect(try [UInt8](records.files[1].content) == Fixtures.file("monero/wallet_9svHk1"))
    #expect(records.excluded.map(\.what) == ["README.md"])
    #expect(
      try read(folder).findings.map(\.result) == [.notProved(.needsPassword), .notProved(.needsPassword)])
    #expect(
      try read(folder, "Test").findings.map(\.result) == [
        .notProved(.wrongPassword), .notProved(.wrongPassword),
      ])
  }

  @Test func `each form of the file leads to its address`() throws {
    for form in [MoneroSample.Form.settings, .olderSettings, .keysAlone] {
      let records = try judged(try MoneroSample(form: form).bytes())
      #expect(records.findings.map(\.result) == [.proved(.address)], "\(form)")
      #expect(records.findings.map(\.detail) == [try MoneroSample.address()], "\(form)")
      let wallet = try #require(records.wallets.first)
      #expect(wallet.walletKind == .hot && wallet.name == "a" && wallet.network == "mainnet")
      #expect(wallet.birthday.height == (form == .keysAlone ? 0 : 2_871_000))
      #expect(RecordValidation.problems(of: wallet).isEmpty)
      #expect(records.files.count == 1 && records.secretFiles.isEmpty)
    }
  }

  @Test func `without a password the address next to the keys is shown, and no other text`() throws {
    let folder = try TemporaryDirectory()
    for (name, text) in [("a", try MoneroSample.address()), ("b", "my address"), ("c", "")] {
      try folder.write(try MoneroSample().bytes(), to: "\(name).keys")
      if !text.isEmpty { try folder.write(Array(text.utf8), to: "\(name).address.txt") }
    }
    let findings = try read(folder.path).findings
    #expect(findings.map(\.result) == Array(repeating: .notProved(.needsPassword), count: 3))
    #expect(findings.map(\.detail) == [try MoneroSample.address(), "", ""])
  }

  @Test func `what has no key that spends says so`() throws {
    var sample = MoneroSample()
    func result(_ members: String) throws -> [WalletFinding.Result] {
      sample.members = members
      return try judged(try sample.bytes()).findings.map(\.result)
    }
    sample.spendSecret = [UInt8](repeating: 0, count: 32)
    #expect(try result("\"watch_only\":1") == [.publicPart()])
    #expect(try result("\"key_on_device\":1") == [.publicPart()])
    #expect(try result("\"watch_only\":0") == [.faulty(.secretDiffers)])
    sample.spendSecret = MoneroSample.scalar(99)
    #expect(try result("\"multisig\":1,\"multisig_threshold\":2") == [.notProved(.needsOtherParties)])
    #expect(try result("\"multisig\":0") == [.faulty(.secretDiffers)])
    sample.form = .background
    #expect(try result("\"watch_only\":0") == [.publicPart()])
    sample.viewSecret = MoneroSample.scalar(98)
    #expect(try result("\"watch_only\":0") == [.faulty(.secretDiffers)])
  }

  @Test func `the network decides the address, and another address beside the keys is told`() throws {
    for (number, network) in [(0, MoneroAddress.Network.mainnet), (1, .testnet), (2, .stagenet)] {
      var sample = MoneroSample()
      sample.members = "\"nettype\":\(number)"
      let address = try MoneroSample.address(network)
      let records = try judged(try sample.bytes(), address: "\(address)\n")
      #expect(records.findings.map(\.result) == [.proved(.address)])
      #expect(records.findings.map(\.detail) == [address] && records.wallets.map(\.network) == [network.name])
      let other = try judged(try sample.bytes(), address: String(address.dropLast()) + "1")
      #expect(other.findings.map(\.result) == [.faulty(.otherAddress)] && other.wallets.isEmpty)
    }
    // The network of wallets that do not state it is determined by the address file.
    let silent = try MoneroSample(form: .keysAlone).bytes()
    let stage = try MoneroSample.address(.stagenet)
    #expect(try judged(silent, address: stage).findings.map(\.detail) == [stage])
  }

  @Test func `a wallet without a password is a secret in the clear`() throws {
    var sample = MoneroSample()
    sample.password = []
    let folder = try TemporaryDirectory()
    let bytes = try sample.bytes()
    try folder.write(bytes, to: "a.keys")
    let open = try read(folder.path, nil)
    #expect(open.findings.map(\.result) == [.proved(.address)])
    #expect(open.files.isEmpty && open.secretFiles.count == 1)
    #expect(open.secretFiles.first?.content.bytes.copied() == bytes)
    let without = try read(folder.path, nil, secrets: false)
    #expect(without.secretFiles.isEmpty && without.findings.map(\.result) == [.withoutSeed])
    #expect(!without.isComplete)
  }

  @Test func `damage is not taken for a wrong password, nor the other way round`() throws {
    let bytes = try MoneroSample().bytes()
    #expect(try judged(bytes, "Test").findings.map(\.result) == [.notProved(.wrongPassword)])
    #expect(try judged(bytes, "test ").findings.map(\.result) == [.notProved(.wrongPassword)])
    // No bit of the keys may change: the last 200 bytes are settings, the first ten nonce and length.
    let keys = 10 + 13..<bytes.count - 200
    for place in stride(from: keys.lowerBound, to: keys.upperBound, by: 41) {
      var damaged = bytes
      damaged[place] ^= 0x04
      let result = try judged(damaged).findings.map(\.result)
      #expect(
        result == [.faulty(.malformed)] || result == [.faulty(.secretDiffers)]
          || isInAnotherName(place, bytes),
        "byte \(place): \(result)")
    }
    for count in [0, 1, 8, 9, bytes.count - 1] {
      let records = try judged(Array(bytes[..<count]))
      #expect(records.findings.map(\.result) == [.faulty(.length)], "\(count)")
    }
    #expect(try judged(bytes + [0]).findings.map(\.result) == [.faulty(.length)])
  }

  /// Whether the byte is in a part that no key depends on: the time, and other signers' keys.
  private func isInAnotherName(_ place: Int, _ bytes: [UInt8]) -> Bool {
    guard let account = try? judged(flipped(bytes, place)),
      account.findings.map(\.result) == [.proved(.address)]
    else { return false }
    // It still yields the same address.
    return account.findings.map(\.detail) == [try? MoneroSample.address()]
  }

  private func flipped(_ bytes: [UInt8], _ place: Int) -> [UInt8] {
    var bytes = bytes
    bytes[place] ^= 0x04
    return bytes
  }

  @Test func `a wallet's files come along, whichever of them is named`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(try MoneroSample().bytes(), to: "a.keys")
    try folder.write(Array("cache".utf8), to: "a")
    try folder.write(Array(try MoneroSample.address().utf8), to: "a.address.txt")
    try folder.write(try MoneroSample(password: Array("other".utf8)).bytes(), to: "b.keys")
    try folder.write([1], to: "other")
    for name in ["a", "a.keys", "a.address.txt"] {
      let records = try read(folder.path(name), "test")
      #expect(
        records.files.map { String(decoding: $0.path, as: UTF8.self) } == ["a", "a.address.txt", "a.keys"])
      #expect(records.findings.map(\.result) == [.proved(.address)] && records.excluded.isEmpty)
    }
    let all = try read(folder.path, "test")
    #expect(all.files.count == 4 && all.excluded.map(\.what) == ["other"])
    #expect(all.findings.map(\.result) == [.proved(.address), .notProved(.wrongPassword)])
    #expect(try read(folder.path("other"), "test").findings.map(\.result) == [.faulty(.malformed)])
  }

  /// From Monero's own address tests.
  @Test func `an address is spelled block by block`() throws {
    let address = try MoneroSample.address()
    #expect(address.utf8.count == 95 && address.hasPrefix("4"))
    #expect(try MoneroSample.address(.testnet).first.map { "9A".contains($0) } == true)
    #expect(try MoneroSample.address(.stagenet).hasPrefix("5"))
    // Zeros keep their places in every block.
    let zeros = [UInt8](repeating: 0, count: 32)
    let spelled = MoneroAddress.encode(spend: zeros, view: zeros, on: .mainnet)
    #expect(spelled.utf8.count == 95 && spelled.dropFirst(11).hasPrefix("11111111111"))
  }
}
