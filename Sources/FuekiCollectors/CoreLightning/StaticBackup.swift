internal import FuekiCrypto
internal import FuekiWallet

/// The output of `lightning-cli staticbackup`: a list of hexadecimal texts, one for each channel.
struct StaticBackup {
  static let byteCountLimit = 16 << 20

  /// The number of channels.
  let channelCount: Int

  /// Whether a file's first bytes look like it.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{") && beginning.contains("\"scb\"")
  }

  /// Parses a complete file; nil if it is truncated or another kind of file.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: Self.byteCountLimit).root,
      let list = root.member("scb") ?? root.member("result")?.member("scb"), list.kind == .array
    else { return nil }
    let channels = list.children.map { $0.string.flatMap { Hex.decode($0) } ?? [] }
    guard channels.allSatisfy({ !$0.isEmpty }) else { return nil }
    channelCount = channels.count
  }
}
