internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

extension RecordCollection {
  /// The limit of findings in a manifest.
  private static let limit = 2000

  /// Assesses the backup of each wallet of the store, given the included keys and shares.
  ///
  /// A wallet provided by a source has the source's finding. A wallet whose file is in the archive has its
  /// keys there, and a wallet whose keys are excluded has none.
  ///
  /// `files` are the places or paths of the store's files.
  func findings(
    _ keychain: Keychain?, _ encodings: [ShareEncoding], beside sourced: SourcedRecords, files: [[UInt8]]
  ) throws -> [WalletFinding] {
    guard request.selection.contains(.wallets) else { return [] }
    let stored: [Wallet] = try records(of: .wallets)
    let wallets = try stored.filter { try !sourced.has($0.serializedBytes(), of: .wallets) }
    let takesKeys = request.includesPrivateKeys && request.selection.contains(.privateKeys)
    let all = (keychain?.privateKeyRecords ?? []).compactMap { record in
      record.bytes.withBytes { try? PrivateKeyRecord(decoding: $0) }
    }
    let keys = takesKeys ? all : []
    let shares = request.selection.contains(.keyShares) ? keychain?.shares ?? [] : []
    let findings = try RecordFindings(kind: "store").all(
      of: Array(wallets.prefix(Self.limit)), keys: keys,
      shares: shares.map { try KnownShare($0.descriptor, secret: $0.secret, encodings: encodings) })
    let owners = Set(all.compactMap(\.walletID))
    let locked = takesKeys ? [] : Set(wallets.filter { owners.contains($0.id) }.map { ExactText($0.name) })
    let kept = Set(files.flatMap(Self.names).map(ExactText.init(_:)))
    let titles = WalletTitles(wallets)
    let names = Dictionary(wallets.map { (ExactText(titles.title(of: $0)), ExactText($0.name)) }) {
      first, _ in
      first
    }
    return findings.map { finding in
      var finding = finding
      let name = names[ExactText(finding.name)] ?? ExactText(finding.name)
      switch finding.result {
      case .withoutSeed where kept.contains(name): finding.result = .notProved(.notRead)
      case .notProved(.nothingToCompare) where locked.contains(name) && !kept.contains(name):
        finding.result = .withoutSeed
      default: break
      }
      return finding
    }
  }

  /// Returns the possible names of a wallet in a file: the file name, with and without extension, and its
  /// directory's.
  private static func names(of path: [UInt8]) -> [String] {
    let parts = path.split(separator: UInt8(ascii: "/")).suffix(2).map { String(decoding: $0, as: UTF8.self) }
    guard let name = parts.last else { return [] }
    let end = name.lastIndex(of: ".") ?? name.endIndex
    return parts + [String(name[..<end])]
  }
}
