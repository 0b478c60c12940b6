internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

extension ImportedRecords {
  /// Assesses a key share by itself: its secret against its public point, and the parties' points against the
  /// group's key.
  ///
  /// If the shares themselves were not requested, only the public part is included.
  mutating func judge(
    _ descriptor: KeyShareDescriptor, _ secret: SharedSecret, encodings: [ShareEncoding],
    faults: [String] = [], _ request: CollectionRequest, kind: String
  ) throws {
    guard request.isForBackup else { return }
    let share = try KnownShare(descriptor, secret: secret, encodings: encodings, faults: faults)
    let isTaken = request.selection.contains(.keyShares)
    let result = try share.worth()
    findings.append(
      WalletFinding(
        kind: kind, name: descriptor.name, isTaken || !result.isSound ? result : .publicPart(),
        detail: Hex.encode([UInt8](descriptor.groupPublicKey))))
  }
}

extension WalletFinding.Result {
  fileprivate var isSound: Bool { if case .faulty = self { false } else { true } }
}
