internal import FuekiCrypto
internal import FuekiWallet

/// The output of `lightning-cli staticbackup`: a list of hexadecimal digits, one for each channel.
struct StaticBackup {
  static let byteCountLimit = 16 << 20

  /// How many channels it has.
  let channelCount: Int

  /// Whether a file begins as one.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{") && beginning.contains("\"scb\"")
  }

  /// Reads a whole file; nil for one that is not whole, or none of these.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: Self.byteCountLimit).root,
      let list = root.member("scb") ?? root.member("result")?.member("scb"), list.kind == .array
    else { return nil }
    let channels = list.children.map { $0.string.flatMap { Hex.decode($0) } ?? [] }
    guard channels.allSatisfy({ !$0.isEmpty }) else { return nil }
    channelCount = channels.count
  }
}
