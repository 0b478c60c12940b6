import FoundationEssentials
import FuekiBackup
import FuekiWallet
import Testing

struct ShareEpochTests {
  private func share(
    _ name: String, key: String = "", wallet: String? = nil, epoch: UInt64?, curve: String = "secp256k1"
  ) -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data(Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count))
    descriptor.name = name
    descriptor.groupPublicKey = Data(key.utf8)
    if let wallet { descriptor.walletID = PackedText.pack(wallet) }
    if let epoch { descriptor.epoch = epoch }
    descriptor.curve = curve
    return descriptor
  }

  private func older(_ incoming: [KeyShareDescriptor], _ present: [KeyShareDescriptor]) -> [String] {
    ShareEpochs.older(incoming, than: present).map {
      "\($0.shares.map(\.short).joined(separator: ", ")): \($0.epoch) < \($0.newest)"
    }
  }

  @Test func `a share of a lower epoch than one of the same key is older`() {
    let present = [share("p1", key: "K", epoch: 3), share("p2", key: "K", epoch: 2)]
    #expect(
      older([share("a", key: "K", epoch: 2)], present)
        == ["a: 2 < 3"])
    #expect(
      older([share("a", key: "K", epoch: 1), share("b", key: "K", epoch: 2)], present)
        == ["a, b: 2 < 3"])
    #expect(older([share("a", key: "K", epoch: 3), share("b", key: "K", epoch: 4)], present).isEmpty)
    #expect(older([share("a", key: "L", epoch: 1)], present).isEmpty)
    #expect(older([share("a", key: "K", epoch: 1, curve: "p256")], present).isEmpty)
  }

  @Test func `what states no epoch is neither older nor newer`() {
    #expect(older([share("a", key: "K", epoch: nil)], [share("p", key: "K", epoch: 3)]).isEmpty)
    #expect(older([share("a", key: "K", epoch: 1)], [share("p", key: "K", epoch: nil)]).isEmpty)
    // A first epoch may be called 0.
    #expect(older([share("a", key: "K", epoch: 0)], [share("p", key: "K", epoch: 1)]).count == 1)
  }

  @Test func `where a key is not said, the wallet tells whose shares they are`() {
    let keyless = [share("p", wallet: "W", epoch: 2)]
    #expect(older([share("a", key: "K", wallet: "W", epoch: 1)], keyless).count == 1)
    #expect(
      older([share("a", wallet: "W", epoch: 1)], [share("p", key: "K", wallet: "W", epoch: 2)]).count == 1)
    #expect(older([share("a", wallet: "V", epoch: 1)], keyless).isEmpty)
    // Two keys of one wallet have nothing to do with one another.
    #expect(
      older([share("a", key: "K", wallet: "W", epoch: 1)], [share("p", key: "L", wallet: "W", epoch: 2)])
        .isEmpty)
  }

  @Test func `each key is named once, in the archive's order`() {
    let present = [share("p", key: "K", epoch: 5), share("q", key: "L", epoch: 7)]
    let incoming = [
      share("a", key: "L", epoch: 6), share("b", key: "K", epoch: 1), share("c", key: "L", epoch: 2),
    ]
    #expect(
      older(incoming, present) == ["a, c: 6 < 7", "b: 1 < 5"])
  }

  @Test func `older shares are refused by name`() throws {
    let present = [share("p", key: "K", epoch: 2)]
    try ShareEpochs.refuseOlder([share("a", key: "K", epoch: 2)], than: present)
    try ShareEpochs.refuseOlder([], than: present)
    try ShareEpochs.refuseOlder(present, than: [])
    // An archive that holds an older share too can be restored twice.
    let both = present + [share("a", key: "K", epoch: 1)]
    try ShareEpochs.refuseOlder(both, than: both)
    do {
      try ShareEpochs.refuseOlder([share("a", key: "K", epoch: 1)], than: present)
      Issue.record("an older share is accepted")
    } catch .olderShares(let older) {
      #expect(older.map(\.newest) == [2] && older[0].shares.map(\.short) == ["a"])
    } catch {
      Issue.record(error)
    }
  }
}
