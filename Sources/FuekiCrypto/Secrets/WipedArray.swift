internal import CSodium

extension Array where Element: FixedWidthInteger {
  /// Overwrites the elements with zeros, for arrays that briefly hold what belongs in ``SecretBytes``.
  ///
  /// The array must not be shared, and must never have grown beyond its capacity: reallocation leaves an
  /// unwiped copy.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe sodium_memzero(start, bytes.count)
    }
  }
}

extension [UInt8] {
  /// Copies a message with room for a hash's padding, so that appending it leaves no copy behind.
  init(toBePadded message: Span<UInt8>) {
    self.init(capacity: message.count + 2 * 64) { output in
      for place in message.indices { output.append(message[place]) }
    }
  }
}
