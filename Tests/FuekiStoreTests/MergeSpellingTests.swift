import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

/// Names, addresses and hashes that differ only in case, or only look equal.
struct MergeSpellingTests {
  @Test(arguments: [
    ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED"),
    ("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
    // An address with a wrong checksum.
    ("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"),
  ])
  func `an address is the same one however it is spelt, and both spellings are shown`(
    there: String, archived: String
  ) throws {
    let scratch = try TemporaryDirectory()
    let contact = { (number: Int, address: String) in
      Contact.with {
        $0.id = Samples.id(number); $0.name = "Alice"; $0.address = PackedText.pack(address)
      }
    }
    let report = try Merging.twice([contact(1, there)], [contact(2, archived)], scratch, .skip)
    #expect(report.counts[.contacts]?.added == 0 && report.conflicts.map(\.fields) == [["address"]])
    #expect(
      report.conflicts.first?.address
        == RestoreConflict.Address(name: "Alice", there: there, archived: archived))
  }

  @Test(arguments: [
    ("Alice", "evm", "1", true), (" ALICE\u{200B} ", "evm", "137", true), ("alice", "", "", true),
    ("Al\u{0}ice", "evm", "1", true), ("Alice\u{3164}", "evm", "1", true), ("A\u{34F}lice", "evm", "1", true),
    ("Alice", "bitcoin", "bitcoin", false), ("Alice B.", "evm", "1", false), ("", "evm", "1", false),
  ])
  func `a new contact that may be taken for another is added, and named with both addresses`(
    name: String, family: String, chain: String, isNamed: Bool
  ) throws {
    let scratch = try TemporaryDirectory()
    let there = Contact.with {
      $0.id = Samples.id(1); $0.name = "Alice"; $0.address = Samples.address(1)
      $0.chainFamily = "evm"; $0.chainID = "1"
    }
    let new = Contact.with {
      $0.id = Samples.id(2); $0.name = name; $0.address = Samples.address(2)
      $0.chainFamily = family; $0.chainID = chain
    }
    let report = try Merging.twice([there], [there, new], scratch)
    #expect(report.counts[.contacts]?.added == 1 && report.conflicts.isEmpty)
    let address = RestoreConflict.Address(
      name: "Alice", there: try #require(PackedText.text(there.address)),
      archived: try #require(PackedText.text(new.address)))
    let id = try #require(PackedText.text(new.id))
    #expect(report.namesakes == (isNamed ? [Namesake(id: id, address: address)] : []))
  }

  @Test func `a name with the same address on another chain, or twice in an archive, is nothing to tell of`()
    throws
  {
    let scratch = try TemporaryDirectory()
    let contact = { (id: Int, name: String, address: Int, chain: String) in
      Contact.with {
        $0.id = Samples.id(id); $0.name = name; $0.address = Samples.address(address)
        $0.chainFamily = "evm"; $0.chainID = chain
      }
    }
    let there = [contact(1, "Alice", 1, "1")]
    let new = [contact(2, "Alice", 1, "137"), contact(3, "Bob", 3, "1"), contact(4, "Bob", 4, "1")]
    let report = try Merging.twice(there, there + new, scratch)
    #expect(report.counts[.contacts]?.added == 3 && report.namesakes.isEmpty)
  }

  @Test(arguments: [("0xab", "0xAB"), ("0xAB", "0xab"), ("0xab", "0Xab"), ("ab", "AB")], [true, false])
  func `a transaction is the same one, however its hash is spelt`(
    spellings: (there: String, archived: String), hasSameID: Bool
  ) throws {
    let scratch = try TemporaryDirectory()
    let transaction = { (id: Int, start: String) in
      var transaction = Samples.transaction(1, wallet: 1)
      transaction.id = Samples.id(id)
      let digits = String(repeating: String(start.suffix(2)), count: 32)
      transaction.hash = PackedText.pack(String(start.dropLast(2)) + digits)
      return transaction
    }
    let report = try Merging.twice(
      [Samples.wallet(1), transaction(70, spellings.there)],
      [Samples.wallet(1), transaction(hasSameID ? 70 : 71, spellings.archived)], scratch, .skip)
    #expect(report.counts[.transactions]?.added == 0 && report.conflicts.map(\.fields) == [["hash"]])
    #expect(try WalletStore.open(scratch.path("data")).transactions.count() == 1)
  }

  @Test func `letters that mean something are not taken for others`() throws {
    let scratch = try TemporaryDirectory()
    let contact = { (number: Int, address: String) in
      Contact.with {
        $0.id = Samples.id(number); $0.address = PackedText.pack(address)
      }
    }
    let report = try Merging.twice(
      [contact(1, "1BoatSLRHtKNngkdXEeobR76b53LETtpyT")], [contact(2, "1BOATSLRHTKNNGKDXEEOBR76B53LETTPYT")],
      scratch)
    #expect(report.counts[.contacts]?.added == 1 && report.conflicts.isEmpty)
  }

  @Test func `hashes whose letters mean something are not taken for others`() throws {
    let scratch = try TemporaryDirectory()
    let hash = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb"
    let transactions = [hash, hash.lowercased()].enumerated().map { index, hash in
      var transaction = Samples.transaction(1, wallet: 1)
      transaction.id = Samples.id(70 + index)
      transaction.hash = PackedText.pack(hash)
      return transaction
    }
    let report = try Merging.twice(
      [Samples.wallet(1), transactions[0]], [Samples.wallet(1), transactions[1]], scratch)
    #expect(report.counts[.transactions]?.added == 1 && report.conflicts.isEmpty)
  }

  @Test(arguments: ConflictPolicy.allCases)
  func `where a contact would be paid elsewhere, both addresses are told`(policy: ConflictPolicy) throws {
    let scratch = try TemporaryDirectory()
    let contact = { (number: Int, name: String, time: Int64) in
      Contact.with {
        $0.id = Samples.id(1); $0.name = name; $0.address = Samples.address(number); $0.updatedAt = time
      }
    }
    let wallet = Samples.wallet(2)
    var moved = wallet
    moved.address = Samples.address(77)
    try Merging.make(scratch.path("data"), [wallet, contact(3, "Alice", 1)])
    try Merging.make(scratch.path("other"), [moved, contact(4, "Mallory", 2)])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    var conflicts: [RestoreConflict] = []
    do {
      conflicts = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), policy).conflicts
    } catch RestoreError.conflicts(let found) {
      conflicts = found
    }
    let told = conflicts.first { $0.section == .contacts }?.address
    #expect(told?.name == "Alice")
    #expect(told?.there == PackedText.text(Samples.address(3)))
    #expect(told?.archived == PackedText.text(Samples.address(4)))
    guard policy != .rename else { return }
    #expect(conflicts.first { $0.section == .wallets }?.address?.archived == PackedText.text(moved.address))
  }
}
