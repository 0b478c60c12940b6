public import FuekiArchive
internal import FuekiWallet
internal import SwiftProtobuf

extension UnlockedArchive {
  /// The names in an archive that whoever knows its person may try as a passphrase: its label, its device and its
  /// wallets; what cannot be read is left out.
  public func knownNames() -> [String] {
    var names = (try? decodedManifest()).map { [$0.manifest.label, $0.manifest.device] } ?? []
    _ = try? readRecords(of: Section.wallets.rawValue) { block in
      block.messages.compactMap { try? Wallet(serializedBytes: Array(block.bytes[$0])).name }
    } body: {
      names += $0
    }
    return names
  }
}
