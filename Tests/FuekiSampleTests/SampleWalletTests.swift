import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiSample
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `The sample wallet` {
  private func keyFile() throws -> SharedSecret { SharedSecret(try SecretBytes.random(count: 32)) }

  @Test func `records keep the rules and hang together`() throws {
    let folder = try TemporaryDirectory()
    let store = try SampleWallet(seed: 7, transactions: 2100).write(to: folder.path("w"), keychain: [])
    let wallets = try store.wallets.fetch()
    #expect(Set(wallets.map(\.kind)) == ["tss", "hot", "watch-only"])
    #expect(wallets.flatMap(RecordValidation.problems) == [])
    #expect(try store.assets.fetch().flatMap(RecordValidation.problems) == [])
    #expect(try store.contacts.fetch().flatMap(RecordValidation.problems) == [])
    #expect(try store.keyShareDescriptors.fetch().flatMap(RecordValidation.problems) == [])
    let transactions = try wallets.flatMap { try store.transactions.fetch(.of(wallet: $0.recordID)) }
    #expect(transactions.count == 2100)
    #expect(transactions.flatMap(RecordValidation.problems) == [])
    #expect(Set(transactions.map(\.id)).count == 2100 && Set(transactions.map(\.hash)).count == 2100)
    #expect(Set(transactions.map(\.status)) == ["confirmed", "failed", "pending", "dropped"])
    #expect(transactions.contains { $0.amount.count == 78 } && transactions.contains { !$0.extra.isEmpty })
    let sent = transactions.filter { $0.walletID == wallets[0].id && $0.from == wallets[0].address }
    #expect(sent.map(\.nonce).sorted() == (0..<UInt64(sent.count)).map { $0 })
    #expect(wallets[0].nonce == UInt64(sent.count))
    var logCounts: Set<Int> = []
    for transaction in transactions.prefix(300) where transaction.hasBlockNumber {
      let receipts = try store.receipts.fetch(.of(transaction: transaction.recordID))
      #expect(receipts.count == 1 && receipts[0].success == (transaction.status == "confirmed"))
      for log in receipts[0].logs {
        #expect(
          log.topics.count == 3 && PackedText.isCanonical(log.topics[1]) && PackedText.isCanonical(log.data))
      }
      logCounts.insert(receipts[0].logs.count)
    }
    #expect(logCounts == [0, 1, 2, 3])
    #expect(try store.receipts.count() > 1600)
  }

  @Test func `the shares are of the wallet's address, and any two are enough`() throws {
    let folder = try TemporaryDirectory()
    let key = try keyFile()
    let store = try SampleWallet(seed: 3, transactions: 10).write(
      to: folder.path("w"), keychain: [.keyFile(key)])
    let keychain = try Keychain.read(folder.path("w"), with: KeychainOpening([.keyFile(key)]))
    #expect(keychain.shares.count == 2)
    #expect(try keychain.privateKeys().map(\.kind) == ["seed-phrase"])
    let descriptors = try store.keyShareDescriptors.fetch()
    #expect(descriptors.count == 3)
    for share in keychain.shares {
      let point = try CurvePoint.multiplyBase(share.secret.bytes, on: .secp256k1)
      #expect(Data(point) == share.descriptor.ownPublicPoint)
    }
    let groupKey = Array(descriptors[0].groupPublicKey)
    let coordinates = try CurvePoint.uncompressedSecp256k1(groupKey)
    let hash = Keccak256.hash(coordinates.span)
    let address = EVMAddress(bytes: Array(hash.bytes.suffix(20)))?.description
    #expect(try PackedText.text(store.wallets.fetch()[0].address) == address)
    // The line through (1, f(1)) and (2, f(2)) has the value 2·f(1) − f(2) at zero.
    let twoBytes = [UInt8](repeating: 0, count: 31) + [2]
    let two = try SecretBytes(copying: twoBytes.span)
    let orderLessOne = Hex.decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140") ?? []
    let minusOne = try SecretBytes(copying: orderLessOne.span)
    let first = try CurveScalar.multiply(two, keychain.shares[0].secret.bytes, on: .secp256k1)
    let second = try CurveScalar.multiply(minusOne, keychain.shares[1].secret.bytes, on: .secp256k1)
    let whole = try CurveScalar.add(first, second, on: .secp256k1)
    #expect(try CurvePoint.multiplyBase(whole, on: .secp256k1) == groupKey)
  }

  @Test func `the same seed gives the same wallet, and another gives another`() throws {
    let folder = try TemporaryDirectory()
    func wallets(_ name: String, _ seed: UInt64) throws -> ([Wallet], [Transaction]) {
      let store = try SampleWallet(seed: seed, transactions: 50).write(to: folder.path(name), keychain: [])
      let wallets = try store.wallets.fetch()
      return (wallets, try store.transactions.fetch(.of(wallet: wallets[0].recordID)))
    }
    let (first, second, third) = (try wallets("a", 1), try wallets("b", 1), try wallets("c", 2))
    #expect(first.0 == second.0 && first.1 == second.1)
    #expect(first.0 != third.0 && first.1 != third.1)
  }

  @Test(arguments: [0, 1, 2, 3, 19, 2000, 2001, 4000])
  func `any number of transactions can be had`(count: Int) throws {
    let folder = try TemporaryDirectory()
    var rows: [Int] = []
    let store = try SampleWallet(transactions: count).write(to: folder.path("w"), keychain: []) {
      rows.append($0)
    }
    #expect(try store.transactions.count() == count)
    #expect(rows == rows.sorted() && (count == 0) == rows.isEmpty)
  }

  @Test(.enabled(if: Environment.get("FUEKI_SAMPLE_ROWS") != nil, "FUEKI_SAMPLE_ROWS is not set"))
  func `many rows are made fast`() throws {
    let count = try #require(Environment.get("FUEKI_SAMPLE_ROWS").flatMap { Int($0) })
    let folder = try TemporaryDirectory()
    let start = SystemClock.monotonicSeconds
    let store = try SampleWallet(transactions: count).write(to: folder.path("w"), keychain: [])
    let seconds = SystemClock.monotonicSeconds - start
    let rows = try count + store.receipts.count()
    let size = try File.open(store.path).size()
    try StandardStream.error.write(
      "\(rows) rows in \(seconds) s, \(Int(Double(rows) / seconds)) a second, \(size) bytes\n")
    #expect(Double(rows) / seconds > 1000)
  }
}
