/// The version of a keychain.
///
/// It changes with every write.
public struct KeychainStamp: Hashable, Sendable {
  /// 1, then one more for each write.
  public let generation: UInt64
  /// 16 random bytes, which distinguish two writes based on the same older file.
  let writeSalt: [UInt8]
}
