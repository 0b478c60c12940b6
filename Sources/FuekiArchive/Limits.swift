/// The fixed limits that the steps of fueki-archive(5) name.
///
/// Nothing expensive happens before the number that drives it has been checked against one of these.
public enum Limits {
  static let archiveBytes: ClosedRange<UInt64> = 198_000...(1 << 40)
  static let headerFieldBytes = 1...65_536
  static let slots = 1...32
  static let minimumChunks: UInt64 = 4
  static let indexBytes: UInt32 = 16 << 20
  static let passphraseSlotsTried = 4
  static let pluginSlotsTried = 8
  static let passes: ClosedRange<UInt32> = 2...16
  static let windowBytes: UInt64 = 8 << 20

  /// A record with its length is at most 16 MiB.
  public static let recordBytes = 16 << 20
  /// A block of several records is at most 1 MiB.
  public static let blockBytes = 1 << 20
  /// A stream's plaintext is cut into pieces of 16,384 bytes.
  public static let chunkPlaintextBytes = 16_384
  /// A chunk as stored: its ciphertext and a 16-byte tag.
  public static let chunkBytes = 16_400
  /// All sections' plaintext together is at most 1 TiB.
  public static let plaintextBytes: UInt64 = 1 << 40

  /// What a reader lets an archive's key derivation cost.
  public enum DerivationAllowance: Sendable {
    /// Up to 1 GiB of memory and 16 GiB-passes in all.
    case standard
    /// Up to 4 GiB of memory and 64 GiB-passes in all.
    case large

    var memoryKiB: ClosedRange<UInt32> {
      switch self {
      case .standard: 65_536...1_048_576
      case .large: 65_536...4_194_304
      }
    }

    var memoryPassesKiB: UInt64 {
      switch self {
      case .standard: 16 << 20
      case .large: 64 << 20
      }
    }
  }
}
