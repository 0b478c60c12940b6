/// The final hashes of CryptoNight, in the order that two bits of its state select.
package enum FinalHash: CaseIterable, Sendable {
  /// ``BLAKE256``.
  case blake
  /// ``Groestl256``.
  case groestl
  /// ``JH256``.
  case jh
  /// ``Skein512``.
  case skein

  /// Returns the hash of the bytes, 32 bytes.
  package func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    switch self {
    case .blake: BLAKE256.hash(bytes)
    case .groestl: Groestl256.hash(bytes)
    case .jh: JH256.hash(bytes)
    case .skein: Skein512.hash(bytes)
    }
  }
}
