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
