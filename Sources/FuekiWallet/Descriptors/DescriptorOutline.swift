internal import FuekiCrypto

/// The positions of the keys in a descriptor's text, even with private keys or unsupported expressions.
package struct DescriptorOutline: Sendable {
  /// A key's position in the text.
  package struct Key: Sendable {
    /// The key with its origin and its steps.
    package let whole: Range<Int>
    /// The text between the brackets before the key; nil without brackets.
    package let origin: Range<Int>?
    /// The key itself.
    package let key: Range<Int>
    /// The steps after the key, each with its slash.
    package let steps: Range<Int>
  }

  /// The text without its checksum.
  package let expression: Range<Int>
  /// The checksum after `#`; nil if there is none.
  package let checksum: Range<Int>?
  /// The keys, from left to right.
  package let keys: [Key]

  /// Shorter texts are numbers, names or hash prefixes, not keys.
  private static let leastKeyLength = 51
  /// Expressions whose arguments are never keys, whatever their length.
  private static let keyless: Set<[UInt8]> = Set(
    ["addr", "raw", "sha256", "hash256", "ripemd160", "hash160"].map { Array($0.utf8) })

  /// Finds the keys; nil if brackets do not match.
  package init?(_ text: Span<UInt8>) {
    var keys: [Key] = []
    var names: [[UInt8]] = []
    var start = 0
    var end = text.count
    for place in text.indices {
      let character = text[place]
      if character == UInt8(ascii: "#") {
        end = place
        break
      }
      switch character {
      case 0x28:
        // A fragment's wrappers precede its name.
        let name = (start..<place).map { text[$0] }.split(separator: UInt8(ascii: ":")).last
        names.append(name.map(Array.init) ?? [])
      case 0x2c, 0x29, 0x7b, 0x7d:
        if !Self.keyless.contains(names.last ?? []), let key = Self.key(text, start..<place) {
          keys.append(key)
        }
        if character == 0x29, names.popLast() == nil { return nil }
      default: continue
      }
      start = place + 1
    }
    guard names.isEmpty else { return nil }
    expression = 0..<end
    checksum = end < text.count ? end + 1..<text.count : nil
    self.keys = keys
  }

  private static func key(_ text: Span<UInt8>, _ whole: Range<Int>) -> Key? {
    var rest = whole
    var origin: Range<Int>?
    if let first = rest.first, text[first] == UInt8(ascii: "[") {
      guard let close = rest.first(where: { text[$0] == UInt8(ascii: "]") }) else { return nil }
      origin = first + 1..<close
      rest = close + 1..<whole.upperBound
    }
    let slash = rest.first { text[$0] == UInt8(ascii: "/") } ?? rest.upperBound
    guard slash - rest.lowerBound >= leastKeyLength || origin != nil else { return nil }
    return Key(whole: whole, origin: origin, key: rest.lowerBound..<slash, steps: slash..<rest.upperBound)
  }

  /// Whether the checksum, if present, matches the text.
  package func isWhole(_ text: Span<UInt8>) -> Bool {
    guard let checksum else { return true }
    let stated = checksum.map { text[$0] }
    return DescriptorChecksum.of(text.extracting(expression)).map { Array($0.utf8) == stated } ?? false
  }

  /// Replaces keys and computes the new checksum; nil for characters outside the descriptors' alphabet.
  package func text(_ text: Span<UInt8>, replacing keys: [Int: String]) -> String? {
    var bytes: [UInt8] = []
    var place = 0
    for (index, key) in self.keys.enumerated() {
      guard let other = keys[index] else { continue }
      bytes += (place..<key.whole.lowerBound).map { text[$0] } + Array(other.utf8)
      place = key.whole.upperBound
    }
    bytes += (place..<expression.upperBound).map { text[$0] }
    return DescriptorChecksum.of(bytes.span).map { String(decoding: bytes, as: UTF8.self) + "#" + $0 }
  }
}

/// A part of a descriptor's text.
struct DescriptorText {
  let text: Substring

  /// The name and the arguments of an expression; nil for other text.
  var call: (name: String, arguments: [Substring])? {
    guard text.utf8.last == 0x29, let open = text.utf8.firstIndex(of: 0x28) else { return nil }
    let name = text[..<open]
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameCharacter) else { return nil }
    let inside = text[text.index(after: open)..<text.index(before: text.endIndex)]
    return DescriptorText(text: inside).parts.map { (String(name), $0) }
  }

  /// The two halves of a pair in curly brackets; nil for other text.
  var pair: (Substring, Substring)? {
    guard text.utf8.count > 2, text.utf8.first == 0x7b, text.utf8.last == 0x7d else { return nil }
    let inside = DescriptorText(text: text.dropFirst().dropLast())
    guard let parts = inside.parts, parts.count == 2 else { return nil }
    return (parts[0], parts[1])
  }

  /// The parts between top-level commas; nil if brackets do not match.
  private var parts: [Substring]? {
    var parts: [Substring] = []
    var open: [UInt8] = []
    var start = text.startIndex
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case 0x28: open.append(0x29)
      case 0x7b: open.append(0x7d)
      case let close where close == 0x29 || close == 0x7d:
        guard open.popLast() == close else { return nil }
      case 0x2c where open.isEmpty:
        parts.append(text[start..<index])
        start = text.utf8.index(after: index)
      default: continue
      }
    }
    guard open.isEmpty else { return nil }
    return parts + [text[start...]]
  }

  private static func isNameCharacter(_ character: UInt8) -> Bool {
    switch character {
    case 0x30...0x39, 0x5f, 0x61...0x7a, 0x3a: true
    default: false
    }
  }
}
