internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// A channel backup as text: the output of `lncli exportchanbackup`, or a REST answer saved by nodes' web
/// pages.
///
/// `lncli` writes the backup of one channel or of all as hexadecimal in JSON. The REST interface uses base64,
/// with the backup of all channels one level deeper. RTL saves that answer as `channel-all.bak`. Some pages
/// save only the hexadecimal or base64 text.
struct LNDExport {
  private static let all = "multi_chan_backup"

  /// The decoded bytes.
  let content: [UInt8]

  /// Whether a file's first bytes are those of one in JSON.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{")
      && (beginning.contains("\"chan_point\"") && beginning.contains("\"chan_backup\"")
        || beginning.contains("\"multi_chan_backup\""))
  }

  /// Parses a complete JSON file; nil if it is truncated or another kind of file.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: ChannelBackup.byteCountLimit).root else { return nil }
    let all = root.member(Self.all)
    let member = root.member("chan_backup") ?? all?.member(Self.all) ?? all
    guard let text = member?.string, let content = Self.decode(text) else { return nil }
    self.content = content
  }

  /// Parses a complete file of only hexadecimal or base64; nil for any other.
  init?(text file: [UInt8]) {
    let text = file.span.extracting(file.span.textStart...)
    guard text.indices.allSatisfy({ 0x20..<0x7F ~= text[$0] || 0x09...0x0D ~= text[$0] }) else { return nil }
    let letters = text.indices.map { text[$0] }.filter { $0 > 0x20 }
    guard letters.count >= ChannelBackup.emptyByteCount,
      let content = Self.decode(String(decoding: letters, as: UTF8.self))
    else { return nil }
    self.content = content
  }

  private static func decode(_ text: String) -> [UInt8]? {
    let content = Hex.decode(text) ?? Data(base64Encoded: text).map(Array.init)
    return content.flatMap { $0.isEmpty ? nil : $0 }
  }
}
