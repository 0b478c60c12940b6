package import FuekiCrypto
internal import FuekiWallet

/// Python literals, Electrum's file format in 1.x and 2.0: dictionaries, lists, tuples, texts, numbers.
///
/// They are converted to JSON in protected memory, and never evaluated.
package enum PythonLiteral {
  /// Why bytes are not a literal, with the offset where the error shows.
  package enum Problem: Error, Equatable, Sendable {
    /// A byte is not allowed here, or the bytes end too early.
    case unexpected(offset: Int)
    /// Containers are nested too deeply.
    case tooDeep(offset: Int)
    /// There is no room for the JSON.
    case noRoom
  }

  private static let byteCountLimit = ImportLimits.literalByteCount

  /// Converts a complete literal to JSON.
  package static func json(_ literal: Span<UInt8>) throws -> SecretBytes {
    guard literal.count <= byteCountLimit else { throw Problem.noRoom }
    do {
      return try json(literal, capacity: literal.count + literal.count / 2 + 64)
    } catch Problem.noRoom {
      // A byte becomes at most six.
      return try json(literal, capacity: literal.count * 6 + 64)
    }
  }

  private static func json(_ literal: Span<UInt8>, capacity: Int) throws -> SecretBytes {
    var output = try SecretBytes(count: capacity)
    let count = try output.withMutableBytes { (output) throws(Problem) in
      var transcription = Transcription()
      try transcription.value(depth: 0, literal, &output)
      transcription.skipSpace(literal)
      guard transcription.position == literal.count else {
        throw Problem.unexpected(offset: transcription.position)
      }
      return transcription.count
    }
    return try output.copy(0..<count)
  }
}

private struct Transcription {
  private(set) var position = 0
  private(set) var count = 0

  mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  private mutating func emit(
    _ byte: UInt8, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    guard count < output.count else { throw .noRoom }
    output[count] = byte
    count += 1
  }

  private mutating func emit(
    _ text: StaticString, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    for byte in "\(text)".utf8 { try emit(byte, &output) }
  }

  private func peek(_ bytes: Span<UInt8>) throws(PythonLiteral.Problem) -> UInt8 {
    guard position < bytes.count else { throw .unexpected(offset: bytes.count) }
    return bytes[position]
  }

  mutating func value(
    depth: Int, _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    guard depth <= JSONOutline.depthLimit else { throw .tooDeep(offset: position) }
    skipSpace(bytes)
    switch try peek(bytes) {
    case UInt8(ascii: "{"): try dictionary(depth: depth, bytes, &output)
    case UInt8(ascii: "["): try list(closing: UInt8(ascii: "]"), depth: depth, bytes, &output)
    case UInt8(ascii: "("): try list(closing: UInt8(ascii: ")"), depth: depth, bytes, &output)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes, &output)
    case UInt8(ascii: "T"): try word("True", "true", bytes, &output)
    case UInt8(ascii: "F"): try word("False", "false", bytes, &output)
    case UInt8(ascii: "N"): try word("None", "null", bytes, &output)
    default: try string(bytes, &output)
    }
  }

  private mutating func dictionary(
    depth: Int, _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    position += 1
    try emit("{", &output)
    var isFirst = true
    while try !closes(UInt8(ascii: "}"), bytes) {
      if !isFirst { try emit(",", &output) }
      isFirst = false
      // A numeric key becomes a text, as in Electrum's own conversion to JSON.
      let isNumber = [UInt8(ascii: "-")].contains(bytes[position]) || 0x30...0x39 ~= bytes[position]
      if isNumber {
        try emit("\"", &output)
        try number(bytes, &output)
        try emit("\"", &output)
      } else {
        try string(bytes, &output)
      }
      skipSpace(bytes)
      guard try peek(bytes) == UInt8(ascii: ":") else { throw .unexpected(offset: position) }
      position += 1
      try emit(":", &output)
      try value(depth: depth + 1, bytes, &output)
      try separate(before: UInt8(ascii: "}"), bytes)
    }
    try emit("}", &output)
  }

  private mutating func list(
    closing end: UInt8, depth: Int, _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    position += 1
    try emit("[", &output)
    var isFirst = true
    while try !closes(end, bytes) {
      if !isFirst { try emit(",", &output) }
      isFirst = false
      try value(depth: depth + 1, bytes, &output)
      try separate(before: end, bytes)
    }
    try emit("]", &output)
  }

  /// Whether the container ends here.
  ///
  /// Skips its end, if so.
  private mutating func closes(_ end: UInt8, _ bytes: Span<UInt8>) throws(PythonLiteral.Problem) -> Bool {
    skipSpace(bytes)
    guard try peek(bytes) == end else { return false }
    position += 1
    return true
  }

  private mutating func separate(
    before end: UInt8, _ bytes: Span<UInt8>
  ) throws(PythonLiteral.Problem) {
    skipSpace(bytes)
    switch try peek(bytes) {
    case UInt8(ascii: ","): position += 1
    case end: break
    default: throw .unexpected(offset: position)
    }
  }

  private mutating func word(
    _ python: StaticString, _ json: StaticString, _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    for byte in "\(python)".utf8 {
      guard try peek(bytes) == byte else { throw .unexpected(offset: position) }
      position += 1
    }
    try emit(json, &output)
  }

  /// Converts a number to JSON's syntax, dropping Python 2's suffix for long ones.
  private mutating func number(
    _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    let allowed = Set("-+.eE0123456789".utf8)
    let start = position
    while position < bytes.count, allowed.contains(bytes[position]) {
      try emit(bytes[position], &output)
      position += 1
    }
    guard position > start else { throw .unexpected(offset: position) }
    if position < bytes.count, bytes[position] == UInt8(ascii: "L") { position += 1 }
  }

  // MARK: texts

  private mutating func string(
    _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    var isUnicode = false
    while [UInt8(ascii: "u"), UInt8(ascii: "b"), UInt8(ascii: "U")].contains(try peek(bytes)) {
      isUnicode = bytes[position] | 0x20 == UInt8(ascii: "u")
      position += 1
    }
    let quote = try peek(bytes)
    guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      throw .unexpected(offset: position)
    }
    position += 1
    try emit("\"", &output)
    while try peek(bytes) != quote {
      let byte = bytes[position]
      guard byte != 0x0A else { throw .unexpected(offset: position) }
      if byte == UInt8(ascii: "\\") {
        try escape(isUnicode, bytes, &output)
      } else {
        position += 1
        try character(UInt32(byte), isByte: true, &output)
      }
    }
    position += 1
    try emit("\"", &output)
  }

  private mutating func escape(
    _ isUnicode: Bool, _ bytes: Span<UInt8>, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    let start = position
    position += 1
    let byte = try peek(bytes)
    position += 1
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""):
      try character(UInt32(byte), isByte: true, &output)
    case UInt8(ascii: "n"): try character(0x0A, isByte: true, &output)
    case UInt8(ascii: "r"): try character(0x0D, isByte: true, &output)
    case UInt8(ascii: "t"): try character(0x09, isByte: true, &output)
    case UInt8(ascii: "x"):
      let value = try hexadecimal(2, bytes)
      // In a byte string these are UTF-8 bytes. Invalid ones are refused by the scanner.
      try character(value, isByte: !isUnicode, &output)
    case UInt8(ascii: "u"): try character(try hexadecimal(4, bytes), isByte: false, &output)
    case UInt8(ascii: "U"): try character(try hexadecimal(8, bytes), isByte: false, &output)
    default: throw .unexpected(offset: start)
    }
  }

  private mutating func hexadecimal(
    _ digits: Int, _ bytes: Span<UInt8>
  ) throws(PythonLiteral.Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = Character(Unicode.Scalar(try peek(bytes))).hexDigitValue else {
        throw .unexpected(offset: position)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Writes a character of a JSON string: a UTF-8 byte unchanged, a code point encoded.
  private mutating func character(
    _ value: UInt32, isByte: Bool, _ output: inout MutableSpan<UInt8>
  ) throws(PythonLiteral.Problem) {
    switch value {
    case UInt32(UInt8(ascii: "\"")): try emit("\\\"", &output)
    case UInt32(UInt8(ascii: "\\")): try emit("\\\\", &output)
    case 0..<0x20:
      try emit("\\u00", &output)
      for digit in Hex.encode([UInt8(value)]).utf8 { try emit(digit, &output) }
    case 0..<0x100 where isByte: try emit(UInt8(value), &output)
    default:
      guard let scalar = Unicode.Scalar(value) else { throw .unexpected(offset: position) }
      for unit in Unicode.UTF8.encode(scalar) ?? .init() { try emit(unit, &output) }
    }
  }
}
