internal import CSodium

extension Array where Element: FixedWidthInteger {
  /// Overwrites the elements with zeros, for arrays that hold for a moment what belongs into ``SecretBytes``.
  ///
  /// Nobody else holds the same array, or it is a copy that is wiped; and it has never outgrown its room, or what it
  /// left behind is not.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe sodium_memzero(start, bytes.count)
    }
  }
}

extension [UInt8] {
  /// A message with room for a hash's padding, so that appending that leaves no copy of it behind.
  init(toBePadded message: Span<UInt8>) {
    self.init(capacity: message.count + 2 * 64) { output in
      for place in message.indices { output.append(message[place]) }
    }
  }
}
