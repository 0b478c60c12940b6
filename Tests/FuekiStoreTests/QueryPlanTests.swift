import FoundationEssentials
import FuekiStore
import FuekiWallet
import GRDB
import TestSupport
import Testing

/// Looks at SQLite's plan of every query.
@Suite struct QueryPlanTests {
  /// A query and its plans, one for each stretch.
  private struct Plans {
    let name: String
    let plans: [String]
  }

  private func plans<Record: SectionRecord>(_ query: Query<Record>, in database: Database) throws -> Plans {
    let statements = try [query, query.reversed()].flatMap {
      try RecordShelves<Record>().statements(of: $0, in: database)
    }
    return Plans(
      name: "\(query)",
      plans: try statements.map { statement in
        try Row.fetchAll(statement).map { $0["detail"] as String }.joined(separator: "\n")
      })
  }

  private func selective(in database: Database) throws -> [Plans] {
    let (id, bytes, time) = (RecordID("an id"), Data([0, 1]), Timestamp(microseconds: 1))
    return try [
      plans(Query<Wallet>.chain("evm", "1"), in: database), plans(Query<Wallet>.address(bytes), in: database),
      plans(Query<Contact>.chain("evm", "1"), in: database),
      plans(Query<Contact>.address(bytes), in: database),
      plans(Query<Asset>.of(wallet: id), in: database),
      plans(Query<Transaction>.of(wallet: id), in: database),
      plans(Query<Transaction>.hash(bytes), in: database), plans(Query<Transaction>.pending, in: database),
      plans(Query<Transaction>.pending.and(.of(wallet: id)), in: database),
      plans(Query<Receipt>.of(transaction: id), in: database),
      plans(Query<Credential>.issuer("i"), in: database), plans(Query<Credential>.type("t"), in: database),
      plans(Query<Credential>.expiring(before: time), in: database),
      plans(Query<CredentialSharing>.of(credential: id), in: database),
      plans(Query<CredentialSharing>.with("rp"), in: database),
      plans(Query<IdTokenSharing>.with("rp"), in: database),
      plans(Query<ChatThread>.owned(by: id), in: database), plans(Query<ChatThread>.with(id), in: database),
      plans(Query<ChatMessage>.in(id), in: database), plans(Query<ChatMessage>.citing(id), in: database),
      plans(Query<KeyShareDescriptor>.ofKey(bytes), in: database),
      plans(Query<FilePart>.file(id), in: database),
    ]
  }

  private func identity<Record: SectionRecord>(of type: Record.Type, in database: Database) throws -> Plans {
    try plans(Query<Record>.one("an id"), in: database)
  }

  @Test func `every query of a look-up searches by an index or by rows that an index found`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let tables = RecordKind.all.flatMap(\.tables)
    let identities = try store.read { database in
      try RecordKind.all.compactMap(\.recordType).map { try identity(of: $0, in: database) }
    }
    for query in try store.read({ try selective(in: $0) }) + identities {
      for plan in query.plans {
        for step in plan.split(separator: "\n") {
          // The partial index of pending transactions has nothing else.
          let isPartial = step.contains("USING INDEX transactions_pending")
          #expect(isPartial || !tables.contains { step.hasPrefix("SCAN \($0)") }, "\(query.name):\n\(plan)")
          // A range of rows is no look-up.
          #expect(!step.contains("(rowid>?)") && !step.contains("(rowid<?)"), "\(query.name):\n\(plan)")
        }
        #expect(plan.contains("INDEX"), "\(query.name):\n\(plan)")
      }
    }
  }

  @Test func `a wallet's pending transactions are not searched among all of it`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let pending = try store.read { try plans(Query<Transaction>.pending.and(.of(wallet: "an id")), in: $0) }
    for plan in pending.plans {
      #expect(plan.contains("INDEX transactions_pending (wallet_row=?)"), "\(plan)")
    }
  }

  @Test func `what may be a million records is read in the order of its index`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let id = RecordID("an id")
    try store.read { database in
      for query in try [
        plans(Query<Transaction>.of(wallet: id), in: database),
        plans(Query<ChatMessage>.in(id), in: database),
        plans(Query<Transaction>.all, in: database), plans(Query<Receipt>.all, in: database),
        plans(Query<ChatMessage>.all, in: database), plans(Query<FilePart>.file(id), in: database),
      ] {
        for plan in query.plans {
          #expect(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "\(query.name):\n\(plan)")
        }
      }
    }
  }
}
