internal import CZxcvbn

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
