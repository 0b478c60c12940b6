import FoundationEssentials
import FuekiBackup
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import Testing

/// A manifest with more losses than it has room for.
struct ManifestLossTests {
  private struct Counts: Equatable {
    var listed = 0
    var counted = 0
    var accepted = 0
  }

  /// An inventory with losses, the first of which were accepted; each archive has a hundred of them.
  private func inventory(accepted: Int, open: Int, present: Int = 0) throws -> Inventory {
    let digest = String(repeating: "ab", count: 32)
    func thing(_ number: Int) -> String {
      let name = String(repeating: "é", count: number % 300)
      let id = String(repeating: "0", count: 32 - "\(number)".count) + "\(number)"
      return #"{"kind":"file","id":"\#(id)","name":"\#(name)\#(number)","section":66}"#
    }
    func absence(_ number: Int) -> String {
      let owner = String(repeating: "0", count: 64 - "\(number / 100)".count) + "\(number / 100)"
      return #"{"holding":\#(thing(number)),"last":{"sequence":\#(number / 100 + 1),"digest":"\#(owner)"},"#
        + #""isLoss":true,"isAccepted":\#(number < accepted)}"#
    }
    let absent = (0..<accepted + open).map(absence).joined(separator: ",")
    let there = (0..<present).map { thing(1_000_000 + $0) }.joined(separator: ",")
    let text =
      #"{"archive":{"sequence":900,"digest":"\#(digest)"},"present":[\#(there)],"absent":[\#(absent)]}"#
    return try JSONDecoder().decode(Inventory.self, from: Data(text.utf8))
  }

  /// Writes a manifest with the losses and reads it back.
  private func written(_ inventory: Inventory, _ now: [Absence]) throws -> [Absence] {
    let manifest = Manifest(program: "p", label: "l", device: "d", includesPrivateKeys: false)
    let room = try manifest.byteCount(for: inventory)
    #expect(room < 1 << 20)
    let bytes = try manifest.serialized(losing: now, paddedTo: room)
    #expect(bytes.count == room)
    return try Manifest(serializedBytes: bytes).losses
  }

  private func counts(_ losses: [Absence]) -> Counts {
    losses.reduce(into: Counts()) { counts, absence in
      let isMore = absence.holding.kind == .more
      let number = isMore ? Int(absence.holding.name.text.prefix { $0 != " " }) ?? 0 : 1
      if isMore { counts.counted += number } else { counts.listed += 1 }
      if absence.isAccepted { counts.accepted += number }
    }
  }

  @Test(arguments: [
    (0, 3), (200, 0), (0, 200), (201, 0), (0, 201), (250, 1), (300, 0), (0, 300), (300, 300), (10_000, 0),
    (0, 10_000), (9_000, 1_000),
  ])
  func `no loss is forgotten, and what was not accepted comes first`(_ accepted: Int, _ open: Int) throws {
    let inventory = try inventory(accepted: accepted, open: open)
    let losses = try written(inventory, inventory.absent)
    let counts = counts(losses)
    #expect(losses.count <= 200 && counts.listed + counts.counted == accepted + open)
    #expect(counts.accepted == accepted)
    #expect(counts.listed >= min(accepted + open, 150))
    let openListed = losses.count { !$0.isAccepted && $0.holding.kind != .more }
    #expect(openListed >= min(open, 150))
    // Every archive that alone holds an unaccepted loss is listed, so that prune keeps it.
    let owners = Set(inventory.absent.filter { !$0.isAccepted }.map(\.last))
    if owners.count <= 50 { #expect(Set(losses.filter { !$0.isAccepted }.map(\.last)) == owners) }
  }

  @Test func `things that go missing while an archive is written have room`() throws {
    for count in [1, 199, 200, 201, 1_000] {
      let before = try inventory(accepted: 150, open: 0, present: count)
      let gone = before.present.map {
        Absence(holding: $0, last: before.archive, isLoss: true, isAccepted: false)
      }
      let losses = try written(before, before.absent + gone)
      let counts = counts(losses)
      #expect(counts.listed + counts.counted == 150 + count && counts.accepted == 150)
    }
  }

  @Test func `a machine keeps the number of what it does not know, and drops it for what it does`() throws {
    let whole = try inventory(accepted: 0, open: 300)
    let stated = try written(whole, whole.absent)
    let encoder = JSONEncoder()
    let absent = String(decoding: try encoder.encode(stated), as: UTF8.self)
    let text =
      #"{"archive":{"sequence":901,"digest":"\#(String(repeating: "cd", count: 32))"},"present":[],"#
      + #""absent":\#(absent)}"#
    let read = try JSONDecoder().decode(Inventory.self, from: Data(text.utf8))
    let counted = counts(read.following(nil).absent)
    #expect(counted == Counts(listed: 150, counted: 150, accepted: 0))
    #expect(counts(read.following(whole).absent) == Counts(listed: 300, counted: 0, accepted: 0))
  }
}
