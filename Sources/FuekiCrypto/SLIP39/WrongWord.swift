/// The single wrong word that invalidates a share's checksum.
public struct WrongWord: Sendable {
  /// The word's place, from 1.
  public let place: Int
  /// The word of the list that makes the checksum valid.
  public let word: String

  /// Finds the only wrong word of a share.
  ///
  /// - Parameter words: words that are all in the list.
  /// - Returns: nil if the checksum is valid, or if no single replacement or more than one makes it valid.
  /// - Throws: ``SLIP39Error/unknownWord(place:)``, ``SLIP39Error/wordCount(_:)`` or ``SLIP39Error/crypto(_:)``.
  public static func find(in words: borrowing SecretBytes) throws(SLIP39Error) -> WrongWord? {
    try words.withBytes { (text) throws(SLIP39Error) in try find(text) }
  }

  /// Replaces the wrong word.
  ///
  /// - Parameter words: the words, with single spaces.
  /// - Returns: the words of the share.
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public func corrected(_ words: borrowing SecretBytes) throws(CryptoError) -> SharedSecret {
    var text = try SecretBytes(count: words.count + word.utf8.count)
    let count = text.withMutableBytes { text in
      words.withBytes { words in
        var (end, place) = (0, 1)
        for index in words.indices {
          let byte = words[index]
          let isSpace = byte == UInt8(ascii: " ")
          if place == self.place, !isSpace { continue }
          if isSpace, place == self.place { Self.write(word, to: &text, at: &end) }
          if isSpace { place += 1 }
          text[end] = byte
          end += 1
        }
        if place == self.place { Self.write(word, to: &text, at: &end) }
        return end
      }
    }
    return SharedSecret(try text.copy(0..<count))
  }

  private static func write(_ word: String, to text: inout MutableSpan<UInt8>, at end: inout Int) {
    for letter in word.utf8 {
      text[end] = letter
      end += 1
    }
  }

  /// The place of the second word, which has the flag that selects the checksum's start.
  private static let flagPlace = 1

  private static func find(_ text: Span<UInt8>) throws(SLIP39Error) -> WrongWord? {
    let count = WordScanner.count(text)
    guard count > flagPlace + RS1024.symbolCount else { throw .wordCount(count) }
    var flags = WordScanner()
    _ = try flags.next(text)
    let isExtendable = try flags.next(text) >> 4 & 1 == 1
    var checksum = RS1024(isExtendable: isExtendable)
    var scanner = WordScanner()
    for _ in 0..<count { checksum.take(try scanner.next(text)) }
    guard !checksum.holds else { return nil }
    var (place, change, found) = (0, UInt16(0), 0)
    for other in 0..<count where other != flagPlace {
      guard let right = checksum.change(count - 1 - other) else { continue }
      (place, change, found) = (other, right, found + 1)
    }
    guard found == 1 else { return nil }
    var words = WordScanner()
    for _ in 0..<place { _ = try words.next(text) }
    let right = try words.next(text) ^ change
    return WrongWord(place: place + 1, word: SLIP39WordList.words[Int(right)])
  }
}

extension RS1024 {
  /// Finds the change to one symbol, `followingCount` before the end, that makes the checksum valid; nil if
  /// none does.
  ///
  /// The checksum is linear: a change's effect depends on nothing else.
  func change(_ followingCount: Int) -> UInt16? {
    let wanted = difference
    let effects = (0..<10).map { bit in Self.effect(of: 1 << UInt16(bit), followedBy: followingCount) }
    for change in UInt16(1)..<1024 {
      var effect: UInt32 = 0
      for bit in 0..<10 where change >> UInt16(bit) & 1 == 1 { effect ^= effects[bit] }
      if effect == wanted { return change }
    }
    return nil
  }
}
