/// A system call with everything it was given, as `strace -xx` with no limit on strings logs it.
struct LoggedCall {
  static let names = [
    "close", "fallocate", "fdatasync", "fsync", "ftruncate", "link", "linkat", "mkdir", "mkdirat", "open",
    "openat", "pwrite64", "pwritev", "rename", "renameat", "renameat2", "rmdir", "truncate", "unlink",
    "unlinkat", "write", "writev",
  ]

  let name: String
  let arguments: [Substring]
  let answer: Int

  /// Nil for a line without a call, or with a failed one.
  init?(_ line: Substring) {
    // Only digits are in quotes, and spaces surround the result's sign.
    let text = line.utf8
    guard let open = text.firstIndex(of: UInt8(ascii: "(")),
      let equals = text.lastIndex(of: UInt8(ascii: "=")),
      let close = text[..<equals].lastIndex(of: UInt8(ascii: ")")), open < close,
      let answer = Int(line[equals...].dropFirst(2).prefix { $0 != " " }), answer >= 0
    else { return nil }
    name = String(line[..<open])
    arguments = Self.split(line[line.index(after: open)..<close])
    self.answer = answer
  }

  func number(_ place: Int) -> Int? { arguments.indices.contains(place) ? Int(arguments[place]) : nil }

  /// The bytes of an argument in quotes.
  func bytes(_ place: Int) -> [UInt8]? {
    guard arguments.indices.contains(place), arguments[place].hasPrefix("\"") else { return nil }
    // Each byte is a backslash, an x, and two digits.
    let digits = arguments[place].utf8.dropFirst().dropLast()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4)
    var place = 0
    var value: UInt8 = 0
    for digit in digits {
      if place % 4 == 2 { value = Self.value(digit) << 4 }
      if place % 4 == 3 { bytes.append(value | Self.value(digit)) }
      place += 1
    }
    return bytes
  }

  func text(_ place: Int) -> String? { bytes(place).map { String(decoding: $0, as: UTF8.self) } }

  func has(_ flag: String) -> Bool { arguments.contains { $0.split(separator: "|").contains { $0 == flag } } }

  private static func value(_ digit: UInt8) -> UInt8 { digit <= 57 ? digit - 48 : digit - 87 }

  /// No quoted text has a comma: all of it is digits.
  private static func split(_ text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var rest = text.utf8
    while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
      parts.append(Substring(rest[..<comma]))
      rest = rest[comma...].dropFirst(2)
    }
    return parts + [Substring(rest)]
  }
}
