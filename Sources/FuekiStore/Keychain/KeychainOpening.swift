public import FuekiCrypto

/// The secrets and limits for opening a keychain.
public struct KeychainOpening: Sendable {
  /// The secrets.
  ///
  /// Each is tried on every slot of its type.
  public var secrets: [KeychainSecret]
  /// The limits of the slots' costs.
  public var limits: KeychainLimits

  /// Creates an opening with secrets, by default within the standard limits.
  public init(_ secrets: [KeychainSecret], limits: KeychainLimits = .standard) {
    self.secrets = secrets
    self.limits = limits
  }
}

/// The limits of slots' costs, checked before any derivation.
public struct KeychainLimits: Sendable {
  /// 64 MiB…4 GiB, 2…16 passes, 64 GiB-passes in total.
  public static let standard = KeychainLimits(memoryKiB: 64 << 10...4 << 20, passes: 2...16)

  let memoryKiB: ClosedRange<UInt32>
  let passes: ClosedRange<UInt32>
  /// KiB × passes, over all slots tried.
  let work: UInt64 = 64 << 20

  /// Creates other limits, for tests that cannot afford a thousand derivations.
  package init(memoryKiB: ClosedRange<UInt32>, passes: ClosedRange<UInt32>) {
    self.memoryKiB = memoryKiB
    self.passes = passes
  }
}

extension Argon2id.Cost {
  /// The cost of a keychain's passphrase: 256 MiB, 3 passes.
  public static let keychain = standard
}
