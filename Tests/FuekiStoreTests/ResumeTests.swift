import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import SwiftProtobuf
import TestSupport
import Testing

/// Restores that are interrupted and resumed.
@Suite struct ResumeTests {
  private static let records: [any SectionRecord] =
    [Samples.wallet(1)] + MergeKind.all(after: 1).dropFirst().map(\.archived)
    + (100..<300).map { Samples.transaction($0, wallet: 1) } + (100..<300).map { Samples.receipt($0) }

  private static let traces = "SELECT name FROM sqlite_master WHERE name LIKE 'restore_%'"

  private func archive(_ scratch: borrowing TemporaryDirectory) throws {
    var descriptor = Samples.descriptor(9)
    descriptor.walletID = Samples.id(1)
    try Merging.make(scratch.path("other"), Self.records, shares: [(descriptor, "secret")])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
  }

  /// Restores until a section's records have been received, and returns the sections read.
  private func restore(
    _ path: String, until last: Section?,
    prepare: (any UnlockedArchive) throws -> (any Destination, (any KeychainAccess)?)
  ) throws -> [Section] {
    var seen: [Section] = []
    do {
      try Pipeline.restore(
        path,
        progress: { event in
          guard case .restoring(let section, _, _) = event else { return }
          if seen.last != section { seen.append(section) }
          if section == last { throw Interrupted() }
        }, prepare: prepare)
    } catch is Interrupted {}
    return seen
  }

  @Test(arguments: [Section.contacts, .transactions, .receipts, .messages])
  func `a restore into a new place goes on with the section where it was`(last: Section) throws {
    let scratch = try TemporaryDirectory()
    try archive(scratch)
    var path = ""
    let first = try restore(scratch.path("a.fueki"), until: last) { _ in
      let made = try StoreDestination(
        dataDirectory: scratch.path("data"), keychainSlots: [try Cheap.slot("p")])
      path = try made.makeScratch().path
      defer { made.leave() }
      return (made, made.keychain)
    }
    let isThere = try scratch.open().contains("data")
    #expect(first.last == last && !isThere)
    let second = try restore(scratch.path("a.fueki"), until: nil) { _ in
      let made = try StoreDestination(resuming: path, of: scratch.path("data"), secrets: [.keyShares: 1])
      return (made, made.keychain)
    }
    #expect(second.first == last)
    #expect(try Merging.contents(scratch.path("data")) == Merging.contents(scratch.path("other")))
    #expect(try rows(scratch.path("data"), Self.traces) == [])
    #expect(try scratch.open().list().compactMap(\.text) == ["a.fueki", "data", "other"])
  }

  @Test(arguments: [Section.contacts, .transactions, .receipts, .messages])
  func `a merge goes on with the section where it was`(last: Section) throws {
    let scratch = try TemporaryDirectory()
    try archive(scratch)
    var renamed = Samples.wallet(1)
    renamed.id = Samples.id(40)
    try Merging.make(scratch.path("data"), [renamed, Samples.transaction(5000, wallet: 40)])
    try Merging.make(scratch.path("whole"), [renamed, Samples.transaction(5000, wallet: 40)])
    var staged: MergeDestination.Staged?
    let first = try restore(scratch.path("a.fueki"), until: last) { open in
      let made = try MergeDestination(
        dataDirectory: scratch.path("data"), archive: open, onConflict: .fail, time: 1)
      made.keychain.create(opening: [try Cheap.slot("p")])
      let state = try made.scratchState()
      staged = .init(path: state.path, present: state.present, secrets: made.keychain.report)
      defer { made.leave() }
      return (made, made.keychain)
    }
    #expect(first.last == last)
    var secrets = MergeReport()
    secrets.counts[.keyShares, default: .init()].added = 1
    staged?.secrets = secrets
    let resumed = try #require(staged)
    let second = try restore(scratch.path("a.fueki"), until: nil) { open in
      let made = try #require(
        try MergeDestination(
          resuming: resumed, of: scratch.path("data"), archive: open, selection: .everything,
          onConflict: .fail, time: 1))
      return (made, made.keychain)
    }
    #expect(second.first == last)
    try Merging.run(
      scratch.path("a.fueki"), into: scratch.path("whole"), .fail, slots: [try Cheap.slot("p")])
    #expect(try Merging.contents(scratch.path("data")) == Merging.contents(scratch.path("whole")))
    #expect(try rows(scratch.path("data"), Self.traces) == [])
  }

  @Test(arguments: [ConflictPolicy.skip, .newer, .replace, .rename])
  func `what differs is told after a stop just as without one, both addresses included`(
    policy: ConflictPolicy
  ) throws {
    let scratch = try TemporaryDirectory()
    let contact = { (address: Int, name: String) in
      Contact.with {
        $0.id = Samples.id(1); $0.name = name; $0.address = Samples.address(address); $0.notes = "\(address)"
      }
    }
    var moved = Samples.wallet(2)
    moved.address = Samples.address(77)
    for name in ["data", "whole"] {
      try Merging.make(scratch.path(name), [Samples.wallet(2), contact(3, "Alice, the \"baker\"")])
    }
    // The transaction is a point to stop at while contacts are merged.
    try Merging.make(scratch.path("other"), [moved, contact(4, ""), Samples.transaction(5, wallet: 2)])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    var staged: MergeDestination.Staged?
    let first = try restore(scratch.path("a.fueki"), until: .transactions) { open in
      let made = try MergeDestination(
        dataDirectory: scratch.path("data"), archive: open, onConflict: policy, time: 1)
      let state = try made.scratchState()
      staged = .init(path: state.path, present: state.present, secrets: made.keychain.report)
      defer { made.leave() }
      return (made, made.keychain)
    }
    #expect(first.last == .transactions)
    let old = try #require(staged)
    var resumed: MergeDestination?
    _ = try restore(scratch.path("a.fueki"), until: nil) { open in
      let made = try #require(
        try MergeDestination(
          resuming: old, of: scratch.path("data"), archive: open, selection: .everything,
          onConflict: policy, time: 1))
      resumed = made
      return (made, made.keychain)
    }
    let whole = try Merging.run(scratch.path("a.fueki"), into: scratch.path("whole"), policy)
    #expect(resumed?.report.conflicts == whole.conflicts)
    let told = whole.conflicts.first { $0.section == .contacts }?.address
    #expect(told?.archived == PackedText.text(Samples.address(4)))
  }

  @Test func `whom a payment would go to is told by the run that goes on, too`() throws {
    let scratch = try TemporaryDirectory()
    let contact = { (id: Int, name: String, address: Int) in
      Contact.with {
        $0.id = Samples.id(id); $0.name = name; $0.address = Samples.address(address); $0.chainFamily = "evm"
      }
    }
    try Merging.make(scratch.path("data"), [contact(1, "Alice", 1), contact(2, "Bob", 2)])
    let archived: [any SectionRecord] =
      [Samples.wallet(1), contact(1, "Alice", 3), contact(3, "Bob", 4)]
      + (100..<300).map { Samples.transaction($0, wallet: 1) }
    try Merging.make(scratch.path("other"), archived)
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    var staged: MergeDestination.Staged?
    _ = try restore(scratch.path("a.fueki"), until: .transactions) { open in
      let made = try MergeDestination(
        dataDirectory: scratch.path("data"), archive: open, onConflict: .skip, time: 1)
      let state = try made.scratchState()
      staged = .init(path: state.path, present: state.present, secrets: MergeReport())
      defer { made.leave() }
      return (made, nil)
    }
    let resumed = try #require(staged)
    var merge: MergeDestination?
    _ = try restore(scratch.path("a.fueki"), until: nil) { open in
      merge = try MergeDestination(
        resuming: resumed, of: scratch.path("data"), archive: open, selection: .everything,
        onConflict: .skip, time: 1)
      return (try #require(merge), nil)
    }
    func text(_ address: Int) throws -> String { try #require(PackedText.text(Samples.address(address))) }
    let report = try #require(merge?.report)
    #expect(
      report.conflicts.map(\.address)
        == [.init(name: "Alice", there: try text(1), archived: try text(3))])
    #expect(
      report.namesakes.map(\.address)
        == [.init(name: "Bob", there: try text(2), archived: try text(4))])
    #expect(try rows(scratch.path("data"), Self.traces) == [])
  }

  /// Expects the staged merge not to be resumed.
  private func expectNotResumed(
    _ staged: MergeDestination.Staged?, _ scratch: borrowing TemporaryDirectory
  ) throws {
    let old = try #require(staged)
    let (data, archive) = (scratch.path("data"), scratch.path("a.fueki"))
    _ = try restore(archive, until: .wallets) { open in
      let made = try MergeDestination(
        resuming: old, of: data, archive: open, selection: .everything, onConflict: .fail, time: 1)
      #expect(made == nil)
      throw Interrupted()
    }
  }

  @Test func `a wallet that was written since is not merged as it was`() throws {
    let scratch = try TemporaryDirectory()
    try archive(scratch)
    try Merging.make(scratch.path("data"), [Samples.wallet(2)])
    var staged: MergeDestination.Staged?
    _ = try restore(scratch.path("a.fueki"), until: .contacts) { open in
      let made = try MergeDestination(
        dataDirectory: scratch.path("data"), archive: open, onConflict: .fail, time: 1)
      made.keychain.create(opening: [try Cheap.slot("p")])
      let state = try made.scratchState()
      staged = .init(path: state.path, present: state.present, secrets: MergeReport())
      defer { made.leave() }
      return (made, made.keychain)
    }
    let store = try WalletStore.open(scratch.path("data"))
    try store.wallets.save(Samples.wallet(3))
    try store.close()
    try expectNotResumed(staged, scratch)
  }

  @Test func `a merge that was done and not swapped is done anew`() throws {
    let scratch = try TemporaryDirectory()
    try archive(scratch)
    try Merging.make(scratch.path("data"), [Samples.wallet(2)])
    var staged: MergeDestination.Staged?
    _ = try restore(scratch.path("a.fueki"), until: nil) { open in
      let made = try MergeDestination(
        dataDirectory: scratch.path("data"), archive: open, onConflict: .fail, time: 1)
      made.keychain.create(opening: [try Cheap.slot("p")])
      let state = try made.scratchState()
      staged = .init(path: state.path, present: state.present, secrets: MergeReport())
      made.willSwap = { _ in throw Interrupted() }
      made.leave()
      return (made, made.keychain)
    }
    try expectNotResumed(staged, scratch)
  }

  @Test func `any file that is written, comes or goes since is noticed`() throws {
    let scratch = try TemporaryDirectory()
    try archive(scratch)
    try Merging.make(scratch.path("data"), [Samples.wallet(2)])
    var seen: Set<String> = []
    for name in ["", "first", "second"] {
      if !name.isEmpty { try Directory.open(scratch.path("data")).makeDirectory(name) }
      _ = try restore(scratch.path("a.fueki"), until: nil) { open in
        let made = try MergeDestination(
          dataDirectory: scratch.path("data"), archive: open, onConflict: .fail, time: 1)
        let state = try made.scratchState()
        #expect(try made.scratchState().present == state.present)
        seen.insert(state.present)
        throw Interrupted()
      }
    }
    #expect(seen.count == 3)
  }
}
