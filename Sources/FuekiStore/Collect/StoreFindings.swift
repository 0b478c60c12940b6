internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

extension RecordCollection {
  /// A manifest has room for no more.
  private static let limit = 2000

  /// Judges the backup of each wallet of the store, with the keys and shares that leave the keychain.
  ///
  /// A wallet that a source brings itself has the source's finding.
  func findings(
    _ keychain: Keychain?, _ encodings: [ShareEncoding], beside sourced: SourcedRecords
  ) throws -> [WalletFinding] {
    guard request.selection.contains(.wallets) else { return [] }
    let all: [Wallet] = try records(of: .wallets)
    let wallets = try all.filter { try !sourced.has($0.serializedBytes(), of: .wallets) }
    let takesKeys = request.includesPrivateKeys && request.selection.contains(.privateKeys)
    let keys = takesKeys ? (keychain?.privateKeyRecords ?? []) : []
    let shares = request.selection.contains(.keyShares) ? keychain?.shares ?? [] : []
    return try RecordFindings(kind: "store").all(
      of: Array(wallets.prefix(Self.limit)),
      keys: keys.compactMap { record in record.bytes.withBytes { try? PrivateKeyRecord(decoding: $0) } },
      shares: shares.map { try KnownShare($0.descriptor, secret: $0.secret, encodings: encodings) })
  }
}
