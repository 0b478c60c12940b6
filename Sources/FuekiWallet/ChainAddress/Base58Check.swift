internal import FuekiCrypto

/// Base58 with a checksum: the first four bytes of a double SHA-256 at the end.
public enum Base58Check {
  /// Encodes bytes with their checksum.
  public static func encode(_ payload: [UInt8]) -> String {
    Base58.encode(payload + checksum(payload))
  }

  /// Decodes a text and verifies its checksum.
  ///
  /// - Throws: ``AddressProblem/invalidCharacter``, ``AddressProblem/wrongLength`` or
  ///   ``AddressProblem/wrongChecksum``.
  public static func decode(_ text: String) throws(AddressProblem) -> [UInt8] {
    let bytes = try Base58.decode(text)
    guard bytes.count >= 4 else { throw .wrongLength }
    let payload = Array(bytes.dropLast(4))
    guard checksum(payload).elementsEqual(bytes.suffix(4)) else { throw .wrongChecksum }
    return payload
  }

  private static func checksum(_ payload: [UInt8]) -> ArraySlice<UInt8> {
    SHA256.hash(SHA256.hash(payload.span).bytes.span).bytes.prefix(4)
  }
}
