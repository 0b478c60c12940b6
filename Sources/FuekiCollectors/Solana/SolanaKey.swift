package import FuekiCrypto
internal import FuekiWallet

/// A key of Solana's command line: a JSON array of the 32 bytes of a seed and the 32 of its public key.
package struct SolanaKey: ~Copyable {
  /// Why a file is not such a key.
  package enum Refusal: Error, Equatable {
    /// It is of another kind.
    case otherFile
    /// It is a list of numbers, but not 64 bytes.
    case length(Int)
  }

  /// The limit of such a file: numbers of up to three digits, one per line and indented.
  static let byteCountLimit = 8 << 10

  /// The seed, 32 bytes.
  let seed: SecretBytes
  /// The public key stated in the file.
  package let stated: [UInt8]

  /// Parses a complete file.
  ///
  /// - Throws: ``Refusal``, or the errors of ``SecretBytes/init(count:)``.
  package init(reading file: borrowing SecretBytes) throws {
    let numbers = try Self.numbers(file)
    guard numbers.count == 64 else { throw Refusal.length(numbers.count) }
    seed = try numbers.copy(0..<32)
    stated = numbers.withBytes { bytes in (32..<64).map { bytes[$0] } }
  }

  /// Computes the public key of the seed.
  package func derived() throws(CryptoError) -> [UInt8] { try Ed25519.publicKey(seed: seed).bytes }

  private static func numbers(_ file: borrowing SecretBytes) throws -> SecretBytes {
    guard file.count <= byteCountLimit else { throw Refusal.otherFile }
    var numbers = try SecretBytes(count: file.count)
    let count: Int? = file.withBytes { text in
      numbers.withMutableBytes { numbers in Self.read(text, into: &numbers) }
    }
    guard let count else { throw Refusal.otherFile }
    return try numbers.copy(0..<count)
  }

  /// Parses `[n, n, …]`; nil for anything else.
  ///
  /// Each number takes at least two characters of the text, so the output is long enough.
  private static func read(_ text: Span<UInt8>, into numbers: inout MutableSpan<UInt8>) -> Int? {
    enum Place { case start, first, digits, behind, next, end }
    var (place, value, digitCount, count) = (Place.start, 0, 0, 0)
    for index in text.indices {
      let character = text[index]
      let isBlank = [0x20, 0x09, 0x0a, 0x0d].contains(character)
      switch (place, character) {
      case (.start, UInt8(ascii: "[")): place = .first
      case (.first, 0x30...0x39), (.next, 0x30...0x39), (.digits, 0x30...0x39):
        value = (place == .digits ? value * 10 : 0) + Int(character - 0x30)
        digitCount = place == .digits ? digitCount + 1 : 1
        guard value < 256, digitCount <= 3 else { return nil }
        place = .digits
      case (.digits, UInt8(ascii: ",")), (.digits, UInt8(ascii: "]")), (.behind, UInt8(ascii: ",")),
        (.behind, UInt8(ascii: "]")), (.first, UInt8(ascii: "]")):
        if place != .first {
          numbers[count] = UInt8(truncatingIfNeeded: value)
          count += 1
        }
        place = character == UInt8(ascii: ",") ? .next : .end
      case (.digits, _) where isBlank: place = .behind
      case (_, _) where isBlank: break
      default: return nil
      }
    }
    return place == .end ? count : nil
  }
}
