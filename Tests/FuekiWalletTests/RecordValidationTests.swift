import FoundationEssentials
import FuekiWallet
import SwiftProtobuf
import Testing

@Suite struct RecordValidationTests {
  func wallet() -> Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("w")
    wallet.kind = "hot"
    wallet.chainFamily = "evm"
    wallet.chainID = "1"
    wallet.address = PackedText.pack("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    wallet.balance = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
    return wallet
  }

  @Test func `a sound wallet has no problem`() {
    #expect(RecordValidation.problems(of: wallet()).isEmpty)
    #expect(wallet().walletKind == .hot && wallet().family == .evm)
  }

  @Test func `each broken rule of a wallet is a sentence`() {
    var broken = wallet()
    broken.id = Data()
    broken.kind = "warm"
    broken.chainID = "mainnet"
    broken.address = PackedText.pack("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    broken.balance = "lots"
    broken.birthday.height = 9
    broken.lastSynced.height = 8
    broken.gapLimit = 0
    broken.groupPublicKey = Data([1])
    var keychain = KeychainIndex()
    keychain.name = "external"
    keychain.lastRevealed = 1
    keychain.lastUsed = 2
    broken.keychains = [keychain]
    var account = Account()
    account.address = PackedText.pack("0x00")
    broken.accounts = [account]
    let problems = RecordValidation.problems(of: broken)
    #expect(problems.count == 10)
    #expect(problems.contains("the chain id \"mainnet\" is not a decimal number"))
    #expect(
      problems.contains(
        "the address 0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed does not match its checksum: a character is wrong"
      ))
  }

  @Test func `contacts, assets and transactions are judged too`() {
    var contact = Contact()
    contact.id = PackedText.pack("c")
    contact.chainFamily = "bitcoin"
    contact.chainID = "bitcoin"
    contact.address = PackedText.pack("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5")
    #expect(RecordValidation.problems(of: contact).count == 1)

    var asset = Asset()
    asset.id = PackedText.pack("a")
    asset.kind = "erc20"
    #expect(RecordValidation.problems(of: asset) == ["a token has no contract"])
    asset.kind = "native"
    #expect(RecordValidation.problems(of: asset).isEmpty)

    var transaction = Transaction()
    transaction.id = PackedText.pack("t")
    transaction.status = "confirmed"
    transaction.amount = "1e18"
    #expect(RecordValidation.problems(of: transaction).isEmpty)
    #expect(transaction.transactionStatus == .confirmed)
    transaction.hash = Data([3, 1])
    transaction.fee = ""
    #expect(RecordValidation.problems(of: transaction).count == 2)
  }

  @Test func `a key share's numbers and lengths must agree`() {
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data(count: 16)
    descriptor.curve = "secp256k1"
    descriptor.groupPublicKey = Data(count: 33)
    descriptor.partyIndex = 1
    descriptor.threshold = 2
    descriptor.total = 2
    #expect(RecordValidation.problems(of: descriptor).isEmpty)
    descriptor.curve = "ed25519"
    descriptor.partyIndex = 2
    descriptor.threshold = 3
    descriptor.id = Data()
    var point = PartyPoint()
    point.point = Data(count: 33)
    descriptor.points = [point]
    #expect(RecordValidation.problems(of: descriptor).count == 5)
    descriptor.curve = "p521"
    #expect(RecordValidation.problems(of: descriptor).contains("the curve \"p521\" is not known"))
  }
}

@Suite struct ManifestTests {
  @Test func `a source is complete while only what was asked for is missing`() {
    var report = SourceReport(source: "store")
    report.include(3, in: .transactions)
    report.include(1, in: .wallets)
    report.include(2, in: .transactions)
    report.include(0, in: .contacts)
    report.exclude("private keys", reason: "--include-private-keys was not given", byRequest: true)
    #expect(report.complete && report.losses.isEmpty)
    #expect(report.included.map(\.section) == [2, 32] && report.records(in: .transactions) == 5)
    report.exclude("keychain", reason: "it could not be opened", byRequest: false)
    #expect(!report.complete && report.losses.map(\.what) == ["keychain"])

    var manifest = Manifest(program: "p", label: "l", device: "d", includesPrivateKeys: false)
    manifest.sources = [report, report]
    #expect(!manifest.isComplete && manifest.schema == 1)
    #expect(manifest.recordCounts == [.wallets: 2, .transactions: 10])
  }

  @Test func `a manifest is padded to any length but the few that no padding has`() throws {
    let manifest = Manifest(program: "p", label: "", device: "", includesPrivateKeys: true)
    let bare = try manifest.serialized(paddedTo: 7).count
    #expect(bare == 7)
    #expect(throws: ManifestError.tooLong(byteCount: 7)) { try manifest.serialized(paddedTo: 6) }
    for difference in Array(1...400) + Array(16_380...16_400) + [2_097_155] {
      if [1, 2, 130, 16_387].contains(difference) {
        #expect(throws: ManifestError.unreachable(byteCount: bare + difference)) {
          try manifest.serialized(paddedTo: bare + difference)
        }
      } else {
        let padded = try manifest.serialized(paddedTo: bare + difference)
        #expect(padded.count == bare + difference)
        #expect(try Manifest(serializedBytes: padded).program == "p")
      }
    }
  }
}
