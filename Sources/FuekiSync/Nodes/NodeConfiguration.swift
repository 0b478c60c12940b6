internal import FuekiSystem

/// The connection settings in a node's own configuration file, for one of its chains.
struct NodeConfiguration {
  private(set) var port: Int?
  /// `user:password`, if the file has both.
  var secret: [UInt8]? {
    guard let user, let password else { return nil }
    return user + [UInt8(ascii: ":")] + password
  }

  private var user: [UInt8]?
  private var password: [UInt8]?

  /// The section names that differ from their directories'.
  private static let sections = ["testnet3": "test", "testnet4": "test", "": "main"]
  private static let byteLimit = 1 << 20

  /// Reads the file in a data directory, if there is one.
  ///
  /// - Parameters:
  ///   - folder: the data directory.
  ///   - chain: the chain's directory in it; empty for the main chain.
  init(folder: String, chain: String) {
    guard let folder = try? Directory.open(folder), let names = try? folder.list().compactMap(\.text) else {
      return
    }
    for name in names where name.hasSuffix("coin.conf") || name == "dash.conf" {
      guard let bytes = try? folder.openFile(name).readAll(limit: Self.byteLimit) else { continue }
      read(bytes, chain)
    }
  }

  private mutating func read(_ bytes: [UInt8], _ chain: String) {
    var (isMeant, isSection) = (true, false)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = Self.trimmed(line)
      if text.first == UInt8(ascii: "[") {
        let section = String(decoding: text.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
        (isMeant, isSection) = (section == chain || section == Self.sections[chain], true)
        continue
      }
      guard isMeant, let equals = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = Array(Self.trimmed(text[text.index(after: equals)...]))
      switch String(decoding: Self.trimmed(text[..<equals]), as: UTF8.self) {
      // Outside of sections, it applies to the main chain.
      case "rpcport" where isSection || chain.isEmpty:
        port = Int(String(decoding: value, as: UTF8.self)) ?? port
      case "rpcuser": user = value
      case "rpcpassword": password = value
      case _: continue
      }
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let begun = text.drop(while: isBlank)
    guard let last = begun.lastIndex(where: { !isBlank($0) }) else { return begun.prefix(0) }
    return begun[...last]
  }
}
