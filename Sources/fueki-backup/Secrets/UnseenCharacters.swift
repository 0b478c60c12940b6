internal import FuekiCrypto

/// Invisible characters of a passphrase, which are lost when it is typed from paper.
struct UnseenCharacters {
  private var beginning: String?
  private var inside: String?
  private var end: String?

  /// Looks through UTF-8 text without copying it.
  init(in secret: SharedSecret) {
    secret.bytes.withBytes { text in
      var place = 0
      while place < text.count {
        let start = place
        let scalar = Self.next(in: text, &place)
        guard let name = Self.name(of: scalar) else { continue }
        if start == 0 {
          beginning = name
        } else if place >= text.count {
          end = name
        } else if !Self.isBlank(scalar) || Self.isLineBreak(scalar) {
          inside = inside ?? name
        }
      }
    }
  }

  /// A sentence for each place that has some; `subject` is the passphrase's own name.
  func sentences(about subject: String) -> [String] {
    [("begins with", beginning), ("contains", inside), ("ends with", end)].compactMap { verb, name in
      name.map {
        "\(subject) \(verb) \($0), which counts as a part of it: typed without it, the secret opens nothing"
      }
    }
  }

  /// The character at a place, which moves behind it; a byte that begins none stands for itself.
  private static func next(in text: Span<UInt8>, _ place: inout Int) -> UInt32 {
    let first = text[place]
    place += 1
    let following = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    guard following > 0, place + following <= text.count else { return UInt32(first) }
    var scalar = UInt32(first & (0x3F >> UInt8(following)))
    for _ in 0..<following {
      scalar = scalar << 6 | UInt32(text[place] & 0x3F)
      place += 1
    }
    return scalar
  }

  private static func name(of scalar: UInt32) -> String? {
    switch scalar {
    case 0x20: return "a space"
    case 0x09: return "a tab"
    case 0x0A: return "a line break"
    case 0x0D: return "a carriage return, the first half of a Windows line end"
    case 0xAD: return "a soft hyphen (U+00AD)"
    case 0x200B: return "a zero-width space (U+200B)"
    case 0xFEFF: return "a byte order mark (U+FEFF)"
    default:
      let digits = String(scalar, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      if isBlank(scalar) { return "a blank (\(code))" }
      return isInvisible(scalar) ? "an invisible character (\(code))" : nil
    }
  }

  /// A prompt reads one line only.
  private static func isLineBreak(_ scalar: UInt32) -> Bool {
    0x0A...0x0D ~= scalar || [0x85, 0x2028, 0x2029].contains(scalar)
  }

  /// White_Space of Unicode.
  private static func isBlank(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  /// Control characters, and Default_Ignorable_Code_Point of Unicode.
  private static func isInvisible(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F,
      0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0,
      0xFFF0...0xFFF8, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}
