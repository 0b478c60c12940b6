/// The hashes that end CryptoNight: two bits of its state choose one, in this order.
package enum FinalHash: CaseIterable, Sendable {
  /// ``BLAKE256``.
  case blake
  /// ``Groestl256``.
  case groestl
  /// ``JH256``.
  case jh
  /// ``Skein512``.
  case skein

  /// Hashes bytes to 32.
  package func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    switch self {
    case .blake: BLAKE256.hash(bytes)
    case .groestl: Groestl256.hash(bytes)
    case .jh: JH256.hash(bytes)
    case .skein: Skein512.hash(bytes)
    }
  }
}
