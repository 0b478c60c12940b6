internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

extension RecordCollection {
  /// A manifest has room for no more.
  private static let limit = 2000

  /// What the backup of each wallet of the store is worth, with what of the keychain leaves.
  func findings(_ keychain: Keychain?, _ encodings: [ShareEncoding]) throws -> [WalletFinding] {
    guard request.selection.contains(.wallets) else { return [] }
    let wallets: [Wallet] = try records(of: .wallets)
    let takesKeys = request.includesPrivateKeys && request.selection.contains(.privateKeys)
    let keys = takesKeys ? (keychain?.privateKeyRecords ?? []) : []
    let shares = request.selection.contains(.keyShares) ? keychain?.shares ?? [] : []
    return try RecordFindings(kind: "store").all(
      of: Array(wallets.prefix(Self.limit)),
      keys: keys.compactMap { record in record.bytes.withBytes { try? PrivateKeyRecord(decoding: $0) } },
      shares: shares.map { try KnownShare($0.descriptor, secret: $0.secret, encodings: encodings) })
  }
}
