extension Passphrase {
  /// Whether the passphrase is so short or so regular that a patient guesser would find it.
  ///
  /// It looks weak if it has fewer than 12 characters before it repeats itself, fewer than six different ones,
  /// fewer than 20 if all are digits, or if most of its characters follow their neighbours in order, as in "abcd"
  /// and "4321". A passphrase that passes may still be a famous line; nothing here knows a dictionary.
  public var looksWeak: Bool {
    bytes.withBytes { bytes in
      let length = Self.period(of: bytes)
      guard length >= 12 else { return true }
      var seen = InlineArray<256, Bool>(repeating: false)
      var differentCount = 0
      var digitCount = 0
      var stepCount = 0
      for index in 0..<length {
        let byte = bytes[index]
        if !seen[Int(byte)] { differentCount += 1 }
        seen[Int(byte)] = true
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { digitCount += 1 }
        if index > 0, abs(Int(byte) - Int(bytes[index - 1])) <= 1 { stepCount += 1 }
      }
      return differentCount < 6 || digitCount == length && length < 20 || stepCount * 2 > length
    }
  }

  /// The shortest length after which the bytes start again from the first.
  private static func period(of bytes: Span<UInt8>) -> Int {
    for period in 1..<bytes.count
    where (period..<bytes.count).allSatisfy({ bytes[$0] == bytes[$0 - period] }) {
      return period
    }
    return bytes.count
  }
}
