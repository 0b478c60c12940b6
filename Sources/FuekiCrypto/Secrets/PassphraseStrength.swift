internal import CZxcvbn
internal import Glibc

/// After how many guesses a passphrase is found, by the estimate of zxcvbn, and how long that takes.
///
/// fueki-backup(1), "Strength of a passphrase", has the formula and where its numbers come from.
public struct PassphraseStrength: Equatable, Sendable {
  /// What becomes of a new passphrase.
  public enum Grade: Sendable {
    /// Refused, unless its person insists.
    case weak
    /// Accepted with a warning.
    case doubtful
    case strong
  }

  /// A passphrase found after fewer guesses is weak.
  public static let guessesOfDoubtful = 1e10
  /// A passphrase found after fewer guesses is doubtful.
  public static let guessesOfStrong = 1e13

  /// How many guesses find it.
  public let guesses: Double

  /// A passphrase that this many guesses find.
  public init(guesses: Double) { self.guesses = guesses }

  init(bits: Double) { guesses = exp2(bits) }

  /// What becomes of it.
  public var grade: Grade {
    if guesses < Self.guessesOfDoubtful { return .weak }
    return guesses < Self.guessesOfStrong ? .doubtful : .strong
  }

  /// How many seconds the guesses take ``GuessingMachine/cardCount`` graphics cards where a guess has this cost.
  public func seconds(at cost: Argon2id.Cost) -> Double {
    guesses / (GuessingMachine.guessesPerSecond(at: cost) * Double(GuessingMachine.cardCount))
  }
}

/// What guesses passphrases: graphics cards, each as fast as its memory.
public enum GuessingMachine {
  /// How many cards there are.
  public static let cardCount = 1000
  /// The bytes that a card moves in a second: 4.8 TB, as NVIDIA states for its H200.
  public static let bytesPerSecond = 4.8e12

  /// The most guesses that one card makes in a second.
  public static func guessesPerSecond(at cost: Argon2id.Cost) -> Double { bytesPerSecond / cost.bytesMoved }
}

extension Argon2id.Cost {
  /// The least bytes that a guess moves to and from memory: 1,024·m·(3t − 1).
  ///
  /// In the first pass each block of 1 KiB is written and another one read; in every later pass the block that is
  /// written over is read too. See RFC 9106, section 3.2.
  public var bytesMoved: Double { 1024 * Double(memoryKiB) * (3 * Double(passes) - 1) }
}

extension Passphrase {
  /// How much is looked at together: zxcvbn's own limit, because its work grows much faster than the length.
  private static let pieceByteCount = 100

  /// Estimates how many guesses find the passphrase.
  ///
  /// Of one that repeats itself, what it repeats counts, and how often. Of one longer than 100 characters the strongest
  /// hundred count: whoever guesses all of it has guessed those too.
  ///
  /// - Parameter names: those that someone who knows the person tries first, of people, machines and wallets.
  /// - Returns: the estimate.
  /// - Throws: What making a ``SecretBytes`` throws.
  public borrowing func strength(knowing names: [String] = []) throws(CryptoError) -> PassphraseStrength {
    let whole = try EstimatedText.of(bytes)
    // zxcvbn sees some repetitions only.
    let text = try whole.copy(0..<Self.period(of: whole))
    let words = EstimatedText.words(of: names)
    var bits = 0.0
    for start in stride(from: 0, to: text.count, by: Self.pieceByteCount) {
      let piece = try text.copy(start..<min(start + Self.pieceByteCount, text.count))
      bits = max(bits, try Zxcvbn.bits(of: piece, knowing: words))
    }
    return PassphraseStrength(bits: bits + log2(Double(whole.count) / Double(text.count)))
  }

  /// The shortest length after which a text starts again at least once as a whole; else all of it.
  private static func period(of text: borrowing SecretBytes) -> Int {
    text.withBytes { text in
      let periods = 1..<max(1, text.count / 2 + 1)
      return periods.first { period in
        (period..<text.count).allSatisfy { text[$0] == text[$0 - period] }
      } ?? text.count
    }
  }
}

/// The library that knows what people choose, in a child whose memory goes with it.
///
/// It reverses the text into memory from malloc, and overwrites that; but it frees its matches as they are, which say
/// where words of its dictionary stand and how common each is, and leaves characters on the stack.
enum Zxcvbn {
  /// How many bits a text is worth, where some words are known.
  ///
  /// - Parameters:
  ///   - text: without NUL, one byte a character.
  ///   - words: without NUL; the first are guessed first.
  /// - Returns: the binary logarithm of how many guesses find it.
  /// - Throws: ``CryptoError/outOfMemory`` where there is no child to be had; what making a ``SecretBytes`` throws.
  static func bits(of text: borrowing SecretBytes, knowing words: [[UInt8]]) throws(CryptoError) -> Double {
    // It ends where C expects a NUL.
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
      // Behind the first NUL, which is there so that there is something to point at.
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
