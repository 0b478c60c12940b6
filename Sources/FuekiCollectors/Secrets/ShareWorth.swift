internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

extension FoundShare {
  /// A key share that is assessed by itself: its secret against its public point, and the parties' points against the
  /// group's key.
  init(
    judging descriptor: KeyShareDescriptor, _ secret: SharedSecret, encodings: [ShareEncoding],
    faults: [String] = [], _ asked: Asked
  ) throws {
    let share = try KnownShare(descriptor, secret: secret, encodings: encodings, faults: faults)
    let result = asked.request.isForBackup ? try share.worth() : .notProved(.notRead)
    self.init(
      descriptor: descriptor, secret: secret,
      finding: asked.finding(
        descriptor.name, result, detail: Hex.encode([UInt8](descriptor.groupPublicKey))), faults: faults)
  }
}
