/// Why a text is not valid Bech32.
public enum Bech32Error: Error, Equatable, Sendable {
  /// It is longer than the encoding allows, has no readable part, or is too short for a checksum.
  case wrongLength
  /// It has a character outside the encoding's alphabet.
  case invalidCharacter
  /// It mixes upper and lower case.
  case mixedCase
  /// It has no digit 1 between the readable part and the data.
  case noSeparator
  /// Its checksum does not verify: a character is wrong.
  case wrongChecksum
}
