internal import FuekiCrypto

/// A script that coins may pay to.
struct WatchedScript: Hashable, Sendable {
  /// The script in hexadecimal, as servers write it.
  let hex: String
  /// The script's address; nil if it has none.
  let address: String?

  init(_ script: [UInt8], address: String?) {
    hex = Hex.encode(script)
    self.address = address
  }

  static func == (a: WatchedScript, b: WatchedScript) -> Bool { a.hex == b.hex }
  func hash(into hasher: inout Hasher) { hasher.combine(hex) }
}
