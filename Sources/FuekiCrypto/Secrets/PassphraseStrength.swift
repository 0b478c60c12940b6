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
  public let guesses: Double

  /// Creates the strength of a passphrase found with this many guesses.
  public init(guesses: Double) { self.guesses = guesses }

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
  public static func guessesPerSecond(at cost: Argon2id.Cost) -> Double { bytesPerSecond / cost.bytesMoved }
}

extension Argon2id.Cost {
  /// The minimum of bytes that a guess moves to and from memory: 1,024·m·(3t − 1).
  ///
  /// In the first pass, each block of 1 KiB is written and another one read. Every later pass also reads the
  /// block that it overwrites. See RFC 9106, section 3.2.
  public var bytesMoved: Double { 1024 * Double(memoryKiB) * (3 * Double(passes) - 1) }
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
