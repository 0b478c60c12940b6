import TestSupport

/// Messages as in a wallet, and unusual ones that only an attacker would write.
enum FieldRecords {
  /// Returns a record of a kind with optional fields.
  static func transaction(_ number: Int) -> [UInt8] {
    var message: [UInt8] = []
    message.text(1, "transaction \(number)")
    message.text(2, "wallet \(number % 3)")
    if number % 4 != 0 { message.varint(9, UInt64(1_795_240_800 + number * 13)) }
    message.bytes(3, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32))
    if number % 5 == 0 { message += [0x61, 1, 2, 3, 4, 5, 6, 7, 8] }
    for log in 0..<number % 3 { message.text(12, "log \(log)") }
    if number % 7 == 0 { message += [0x6D, 1, 2, 3, 4] }
    return message
  }

  /// Returns records of any form: fields of all wire types, varints of any length, and bytes that are not
  /// messages.
  static func any(_ generator: inout RandomSource) -> [[UInt8]] {
    let kinds = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      (0..<Int.random(in: 0...9, using: &generator)).map { _ in field(&generator) }
    }
    return (0..<Int.random(in: 1...60, using: &generator)).map { _ in
      guard Int.random(in: 0..<8, using: &generator) > 0 else {
        return generator.bytes(Int.random(in: 0...20, using: &generator))
      }
      var message: [UInt8] = []
      for (key, wireType) in kinds[Int.random(in: 0..<kinds.count, using: &generator)] {
        message.append(minimal: key)
        message += value(wireType, &generator)
      }
      return message
    }
  }

  static func block(_ messages: [[UInt8]]) -> [UInt8] {
    var block: [UInt8] = []
    for message in messages {
      block.append(minimal: UInt64(message.count))
      block += message
    }
    return block
  }

  private static func field(_ generator: inout RandomSource) -> (key: UInt64, wireType: Int) {
    let number =
      [1, 2, 3, 15, 16, 2047, 2048, (1 << 29) - 1, 1 << 29, 0].randomElement(using: &generator) ?? 1
    let wireType = [0, 0, 1, 2, 2, 2, 5, 5, 3].randomElement(using: &generator) ?? 0
    return (UInt64(number * 8 + wireType), wireType)
  }

  private static func value(_ wireType: Int, _ generator: inout RandomSource) -> [UInt8] {
    var value: [UInt8] = []
    switch wireType {
    case 0:
      value.append(minimal: generator.next() >> UInt64.random(in: 0...63, using: &generator))
      // Occasionally one byte more than necessary.
      if Int.random(in: 0..<40, using: &generator) == 0 {
        value[value.count - 1] |= 0x80
        value.append(0)
      }
    case 1: value = generator.bytes(8)
    case 5: value = generator.bytes(4)
    default:
      let count = [0, 1, 3, 20, 127, 128, 300].randomElement(using: &generator) ?? 0
      value.append(minimal: UInt64(count))
      value += generator.bytes(count)
    }
    return value
  }
}

extension [UInt8] {
  mutating func append(minimal value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func varint(_ field: UInt64, _ value: UInt64) {
    append(minimal: field << 3)
    append(minimal: value)
  }

  mutating func bytes(_ field: UInt64, _ value: [UInt8]) {
    append(minimal: field << 3 | 2)
    append(minimal: UInt64(value.count))
    self += value
  }

  mutating func text(_ field: UInt64, _ value: String) { bytes(field, Array(value.utf8)) }
}
