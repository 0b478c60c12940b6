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
