internal import FuekiCrypto
internal import FuekiWallet

/// What `lncli exportchanbackup` prints: the backup of one channel or of all, as hexadecimal digits in JSON.
struct LNDExport {
  /// The bytes that the digits stand for.
  let content: [UInt8]

  /// Whether a file begins as one.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{")
      && (beginning.contains("\"chan_point\"") && beginning.contains("\"chan_backup\"")
        || beginning.contains("\"chan_points\"") && beginning.contains("\"multi_chan_backup\""))
  }

  /// Reads a whole file; nil for one that is not whole, or none of these.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: ChannelBackup.byteCountLimit).root else { return nil }
    let member = root.member("chan_backup") ?? root.member("multi_chan_backup")
    guard let content = (member?.string).flatMap({ Hex.decode($0) }) else { return nil }
    self.content = content
  }
}
