internal import CZxcvbn
internal import Glibc

/// The number of guesses that find a passphrase, as zxcvbn estimates it, and the time they take.
///
/// fueki-backup(1), "Strength of a passphrase", has the formula and the source of its numbers.
public struct PassphraseStrength: Equatable, Sendable {
  /// The verdict on a new passphrase.
  public enum Grade: Sendable {
    /// Refused unless the user overrides it.
    case weak
    /// Accepted with a warning.
    case doubtful
    case strong
  }

  /// The minimum of guesses for a doubtful passphrase.
  ///
  /// Below, it is weak.
  static let guessesOfDoubtful = 1e10
  /// The minimum of guesses for a strong passphrase.
  ///
  /// Below, it is doubtful.
  static let guessesOfStrong = 1e13

  /// The estimated number of guesses.
  package let guesses: Double

  /// Creates the strength of a passphrase found with this many guesses.
  package init(guesses: Double) { self.guesses = guesses }

  init(bits: Double) { guesses = exp2(bits) }

  /// The verdict on the passphrase.
  public var grade: Grade {
    if guesses < Self.guessesOfDoubtful { return .weak }
    return guesses < Self.guessesOfStrong ? .doubtful : .strong
  }

  /// The seconds that ``GuessingMachine/cardCount`` graphics cards take, each guess at this cost.
  public func seconds(at cost: Argon2id.Cost) -> Double {
    guesses / (GuessingMachine.guessesPerSecond(at: cost) * Double(GuessingMachine.cardCount))
  }
}

/// The assumed attacker: graphics cards, each as fast as its memory.
public enum GuessingMachine {
  /// The number of cards.
  public static let cardCount = 1000
  /// The memory bandwidth of a card in bytes per second: 4.8 TB, as NVIDIA states for its H200.
  static let bytesPerSecond = 4.8e12

  /// The most guesses of one card per second.
  package static func guessesPerSecond(at cost: Argon2id.Cost) -> Double { bytesPerSecond / cost.bytesMoved }
}

extension Argon2id.Cost {
  /// The minimum of bytes that a guess moves to and from memory: 1,024·m·(3t − 1).
  ///
  /// In the first pass, each block of 1 KiB is written and another one read. Every later pass also reads the
  /// block that it overwrites. See RFC 9106, section 3.2.
  package var bytesMoved: Double { 1024 * Double(memoryKiB) * (3 * Double(passes) - 1) }
}

extension Passphrase {
  /// The length estimated at once: zxcvbn's own limit, because its work grows much faster than the length.
  private static let pieceByteCount = 100

  /// Estimates the number of guesses that find the passphrase.
  ///
  /// A repetitive passphrase counts as the repeated part and the number of repetitions. A passphrase over 100
  /// characters counts as its strongest hundred: a guess of the whole includes those.
  ///
  /// - Parameter names: words that an attacker who knows the user tries first: names of people, machines and
  ///   wallets.
  /// - Returns: the estimate.
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public borrowing func strength(knowing names: [String] = []) throws(CryptoError) -> PassphraseStrength {
    let whole = try EstimatedText.of(bytes)
    // zxcvbn detects only some repetitions.
    let text = try whole.copy(0..<Self.period(of: whole))
    let words = EstimatedText.words(of: names)
    var bits = 0.0
    for start in stride(from: 0, to: text.count, by: Self.pieceByteCount) {
      let piece = try text.copy(start..<min(start + Self.pieceByteCount, text.count))
      bits = max(bits, try Zxcvbn.bits(of: piece, knowing: words))
    }
    return PassphraseStrength(bits: bits + log2(Double(whole.count) / Double(text.count)))
  }

  /// The shortest period of a text, with at least one full repetition; else its whole length.
  private static func period(of text: borrowing SecretBytes) -> Int {
    text.withBytes { text in
      let periods = 1..<max(1, text.count / 2 + 1)
      return periods.first { period in
        (period..<text.count).allSatisfy { text[$0] == text[$0 - period] }
      } ?? text.count
    }
  }
}

/// zxcvbn in a child process whose memory is discarded with it.
///
/// It reverses the text into memory from malloc and overwrites that. But it frees its matches without wiping
/// them, which reveal the positions of dictionary words and how common each is, and leaves characters on the
/// stack.
enum Zxcvbn {
  /// Estimates the bits of a text, given known words.
  ///
  /// - Parameters:
  ///   - text: without NUL, one byte per character.
  ///   - words: without NUL, in guessing order.
  /// - Returns: the binary logarithm of the number of guesses.
  /// - Throws: ``CryptoError/outOfMemory`` if no child can be started; the errors of
  ///   ``SecretBytes/init(count:)``.
  static func bits(of text: borrowing SecretBytes, knowing words: [[UInt8]]) throws(CryptoError) -> Double {
    // C expects a NUL at the end.
    var ended = try SecretBytes(count: text.count + 1)
    ended.withMutableBytes { ended in
      text.withBytes { text in
        for index in text.indices { ended[index] = text[index] }
      }
    }
    let count = ended.count
    let estimate = unsafe ended.withPointer { text in
      unsafe text.withMemoryRebound(to: CChar.self, capacity: count) { text in
        unsafe bits(text, words)
      }
    }
    guard estimate >= 0 else { throw .outOfMemory }
    return estimate
  }

  private static func bits(_ text: UnsafePointer<CChar>, _ words: [[UInt8]]) -> Double {
    var joined: [CChar] = [0]
    for word in words { joined += word.map { CChar(bitPattern: $0) } + [0] }
    return unsafe joined.withUnsafeBufferPointer { joined in
      var starts: [UnsafePointer<CChar>?] = unsafe []
      // After the first NUL, which ensures that there is an address.
      var start = unsafe joined.baseAddress.map { unsafe $0 + 1 }
      for word in words {
        unsafe starts.append(start)
        unsafe start = start.map { unsafe $0 + word.count + 1 }
      }
      unsafe starts.append(nil)
      return unsafe fueki_zxcvbn_bits(text, &starts)
    }
  }
}

/// Text in zxcvbn's form: one byte per character.
///
/// zxcvbn counts each byte of a UTF-8 character as one to guess, and knows no accented words. It knows no
/// other alphabets, so their letters are mapped to Latin ones: they count for no more, and adjacent letters
/// stay adjacent.
enum EstimatedText {
  /// The most words compared, and the length of each in bytes.
  private static let wordLimit = 1000
  private static let wordBytes = 3...100
  private static let marks: ClosedRange<UInt32> = 0x300...0x36F

  /// The letters from U+00C0 to U+017F without their marks.
  private static let plainLetters: StaticString = """
    AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty\
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL\
    lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs
    """
  private static let plain = plainLetters.withUTF8Buffer { unsafe [UInt8]($0) }

  /// Converts a UTF-8 passphrase, in memory that is wiped.
  static func of(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    var text = try SecretBytes(count: bytes.count)
    var count = 0
    text.withMutableBytes { text in
      bytes.withBytes { bytes in
        var index = 0
        while index < bytes.count {
          let (scalar, length) = Self.scalar(in: bytes, at: index)
          text[count] = byte(of: scalar)
          count += 1
          index += length
        }
      }
    }
    return try text.copy(0..<count)
  }

  /// Returns each name whole, without separators, and in parts; guessing starts with the first.
  static func words(of names: [String]) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    var words: [[UInt8]] = []
    for name in names {
      // A passphrase is composed, so the combining marks of a decomposed name never match.
      let text = name.unicodeScalars.map(\.value).filter { $0 != 0 && !marks.contains($0) }.map(byte)
      let parts = text.split { !isLetterOrDigit($0) }.map(Array.init)
      for word in [text, parts.flatMap(\.self)] + parts where wordBytes.contains(word.count) {
        guard words.count < wordLimit else { return words }
        if seen.insert(word).inserted { words.append(word) }
      }
    }
    return words
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }

  /// ASCII unchanged, Latin letters without marks, other letters as one of 26, anything else as one of 128.
  private static func byte(of scalar: UInt32) -> UInt8 {
    switch scalar {
    case ..<0x80: UInt8(scalar)
    case 0xC0..<0x180: plain[Int(scalar) - 0xC0]
    default: letter(Unicode.Scalar(scalar)) ?? 0x80 | UInt8(scalar & 0x7F)
    }
  }

  private static func letter(_ scalar: Unicode.Scalar?) -> UInt8? {
    guard let scalar, scalar.properties.isAlphabetic else { return nil }
    let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    return UInt8(small.value % 26) + (small == scalar ? UInt8(ascii: "a") : UInt8(ascii: "A"))
  }

  /// The character at an index of UTF-8, which normalisation has validated, and its length in bytes.
  private static func scalar(in bytes: Span<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
    let first = bytes[index]
    let (bits, length): (UInt8, Int) =
      switch first {
      case ..<0x80: (first, 1)
      case ..<0xE0: (first & 0x1F, 2)
      case ..<0xF0: (first & 0x0F, 3)
      default: (first & 0x07, 4)
      }
    var scalar = UInt32(bits)
    for next in index + 1..<max(index + 1, min(index + length, bytes.count)) {
      scalar = scalar << 6 | UInt32(bytes[next] & 0x3F)
    }
    return (scalar, length)
  }
}
