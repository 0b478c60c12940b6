public import FuekiArchive
internal import FuekiWallet
internal import SwiftProtobuf

extension UnlockedArchive {
  /// Returns the names in an archive that an acquaintance may try as a passphrase.
  ///
  /// They are its label, its device and its wallets. Unreadable ones are skipped.
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
