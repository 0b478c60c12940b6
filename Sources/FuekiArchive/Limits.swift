/// The fixed limits in the steps of fueki-archive(5).
///
/// A number from the file is checked against its limit before it drives any expensive work.
public enum Limits {
  package static let archiveBytes: ClosedRange<UInt64> = 198_000...(1 << 40)
  static let headerFieldBytes = 1...65_536
  static let slots = 1...32
  static let minimumChunks: UInt64 = 4
  static let indexBytes: UInt32 = 16 << 20
  static let passphraseSlotsTried = 4
  static let pluginSlotsTried = 8
  static let passes: ClosedRange<UInt32> = 2...16
  static let windowBytes: UInt64 = 8 << 20

  /// The limit of a record with its length, 16 MiB.
  public static let recordBytes = 16 << 20
  /// The limit of a block of several records, 1 MiB.
  public static let blockBytes = 1 << 20
  /// The plaintext bytes of a chunk.
  public static let chunkPlaintextBytes = 16_384
  /// The bytes of a stored chunk: ciphertext and a 16-byte tag.
  public static let chunkBytes = 16_400
  /// The limit of all sections' plaintext, 1 TiB.
  public static let plaintextBytes: UInt64 = 1 << 40

  /// The limit of an archive's key derivation.
  public enum DerivationAllowance: Sendable {
    /// Up to 1 GiB of memory and 16 GiB-passes in total.
    case standard
    /// Up to 4 GiB of memory and 64 GiB-passes in total.
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
