public import FuekiCrypto

/// Something that opens a keychain.
public enum KeychainSecret: Sendable {
  /// A passphrase, normalised as ``Passphrase`` does it.
  case passphrase(SharedSecret)
  /// All bytes of a key file, 32 bytes…64 MiB.
  case keyFile(SharedSecret)

  /// A passphrase that stays its owner's.
  public static func passphrase(copying passphrase: borrowing Passphrase) throws(CryptoError)
    -> KeychainSecret
  {
    .passphrase(SharedSecret(try passphrase.bytes.copy(0..<passphrase.bytes.count)))
  }
}

/// What a keychain is opened with.
public struct KeychainOpening: Sendable {
  /// The secrets, each tried on every slot of its type.
  public var secrets: [KeychainSecret]
  /// What a slot may ask for.
  public var limits: KeychainLimits

  /// Opens with these secrets, within the limits that all files must keep unless told otherwise.
  public init(_ secrets: [KeychainSecret], limits: KeychainLimits = .standard) {
    self.secrets = secrets
    self.limits = limits
  }
}

/// What a slot may ask for before anything is derived.
public struct KeychainLimits: Sendable {
  /// 64 MiB…4 GiB, 2…16 passes, 64 GiB-passes in all.
  public static let standard = KeychainLimits(memoryKiB: 64 << 10...4 << 20, passes: 2...16)

  let memoryKiB: ClosedRange<UInt32>
  let passes: ClosedRange<UInt32>
  /// KiB × passes, over all slots that are tried.
  let work: UInt64 = 64 << 20

  /// Limits of a caller's own, for tests that cannot pay for a derivation a thousand times.
  package init(memoryKiB: ClosedRange<UInt32>, passes: ClosedRange<UInt32>) {
    self.memoryKiB = memoryKiB
    self.passes = passes
  }
}

/// A slot that a keychain is to have.
public enum NewKeychainSlot: Sendable {
  /// A normalised passphrase, at a price per guess.
  case passphrase(SharedSecret, cost: Argon2id.Cost = .keychain)
  /// All bytes of a key file, 32 bytes…64 MiB.
  case keyFile(SharedSecret)
}

extension Argon2id.Cost {
  /// What a keychain's passphrase costs: 256 MiB, 3 passes.
  public static let keychain = Argon2id.Cost(memoryKiB: 256 << 10, passes: 3)
}
