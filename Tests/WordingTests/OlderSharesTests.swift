import FuekiBackup
import FuekiWallet
import Testing
import fueki_backup

/// The messages about key shares that a refresh has replaced.
struct OlderSharesTests {
  private func share(_ name: String, epoch: UInt64) -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.name = name
    descriptor.walletID = PackedText.pack("wallet")
    descriptor.epoch = epoch
    return descriptor
  }

  @Test func `they are listed with their epoch and with its successor`() {
    let older = ShareEpochs.older(
      [share("a", epoch: 6), share("c", epoch: 2)], than: [share("p", epoch: 7)])
    #expect(
      older.map(\.sentence) == ["a, c: of epoch 6, but the same key has shares of epoch 7"])
  }
}
