internal import FoundationEssentials

/// A deterministic generator, equal on every machine for the same seed: SplitMix64.
struct SampleRandom {
  private var state: UInt64

  /// Starts a separate sequence for each place, so that each can be generated independently.
  init(seed: UInt64, place: UInt64) {
    state = seed
    state = next() ^ place &* 0xD6E8_FEB8_6659_FD93
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Returns a number below a limit.
  ///
  /// The small bias of the remainder does not matter here.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns a number of the given decimal digits, at most 20.
  mutating func number(digits: Int) -> UInt64 {
    var lowest: UInt64 = 1
    for _ in 1..<digits { lowest *= 10 }
    let highest = lowest.multipliedReportingOverflow(by: 10)
    return lowest + next() % ((highest.overflow ? .max : highest.partialValue) - lowest)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    append(count, to: &bytes)
    return bytes
  }

  /// Returns a packed text: its form, then random bytes.
  mutating func packed(form: UInt8, _ count: Int) -> Data {
    var bytes: [UInt8] = [form]
    bytes.reserveCapacity(count + 8)
    append(count, to: &bytes)
    return Data(bytes)
  }

  private mutating func append(_ count: Int, to bytes: inout [UInt8]) {
    let end = bytes.count + count
    while bytes.count < end {
      let word = next()
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    bytes.removeLast(bytes.count - end)
  }
}
