/// A plugin's recipient: `age1NAME1…`, for the program `age-plugin-NAME`.
///
/// Only the plugin interprets the encoded bytes. See the age-plugin specification (C2SP), section "Mapping
/// recipients and identities to plugin binaries".
public struct AgePluginRecipient: Hashable, Sendable {
  /// The plugin's name, in lower case.
  public let name: String
  /// The whole recipient.
  public let text: String

  /// Reads a recipient in lower case; nil for age's own keys and for other text.
  ///
  /// - Throws: ``AgeKeyError/recipient(_:)`` for a mistyped recipient.
  public init?(_ text: String) throws(AgeKeyError) {
    let characters = Array(text.utf8)
    let beginning = Array("age1".utf8)
    // The prefix of a hybrid recipient never belongs to a plugin.
    guard characters.starts(with: beginning), !characters.starts(with: "age1pq1".utf8),
      let separator = characters.lastIndex(of: Bech32Code.separator), separator > beginning.count
    else { return nil }
    let name = characters[beginning.count..<separator]
    guard name.allSatisfy({ AgePluginName.isPart($0) }) else { throw .recipient(.otherKind) }
    do throws(AgeKeyError.Problem) {
      try AgePluginName.check(characters.span)
    } catch {
      throw .recipient(error)
    }
    self.name = String(decoding: name, as: UTF8.self)
    self.text = text
  }
}

/// Rules that all plugin keys share.
enum AgePluginName {
  /// The longest key that can be passed to a plugin as one argument.
  static let characterCountLimit = 8192

  /// Whether a lower-case character is allowed in a plugin's name.
  static func isPart(_ character: UInt8) -> Bool {
    switch character {
    case 0x61...0x7a, 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Verifies a key's Bech32: its checksum, and that leftover bits are zero.
  static func check(_ text: Span<UInt8>) throws(AgeKeyError.Problem) {
    let place: (separator: Int, checksum: Bech32.Checksum)
    do throws(Bech32Error) {
      place = try Bech32Code.check(text, limit: characterCountLimit)
    } catch {
      throw .encoding(error)
    }
    guard place.checksum == .bech32 else { throw .encoding(.wrongChecksum) }
    let symbols = text.count - place.separator - 1 - Bech32Code.checksumLength
    let left = symbols * 5 % 8
    guard left < 5 else { throw .notOneKey }
    guard symbols > 0 else { return }
    let last = Bech32Code.symbol(of: text[place.separator + symbols])
    guard last & (1 << UInt8(left) - 1) == 0 else { throw .notOneKey }
  }
}

/// A plugin's identity: `AGE-PLUGIN-NAME-1…`, which holds a key or a reference to one.
public struct AgePluginIdentity: Sendable {
  /// The plugin's name, in lower case.
  public let name: String
  /// The whole identity, as ASCII.
  public let text: SharedSecret

  static let beginning = Array("AGE-PLUGIN-".utf8)

  /// Reads a line with the prefix of a plugin's identity.
  init(_ line: Span<UInt8>) throws {
    var separator: Int?
    for index in line.indices where line[index] == Bech32Code.separator { separator = index }
    let start = Self.beginning.count
    guard let separator, separator > start + 1, line[separator - 1] == UInt8(ascii: "-") else {
      throw AgeKeyError.Problem.otherKind
    }
    let name = (start..<separator - 1).map { Bech32Code.small(line[$0]) }
    guard name.allSatisfy({ AgePluginName.isPart($0) }) else { throw AgeKeyError.Problem.otherKind }
    try AgePluginName.check(line)
    self.name = String(decoding: name, as: UTF8.self)
    text = SharedSecret(try SecretBytes(copying: line))
  }
}
