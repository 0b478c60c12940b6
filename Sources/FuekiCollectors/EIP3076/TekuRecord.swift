package import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Teku's slashing record of one key: a file `<public key>.yml` with a number per line.
package struct TekuRecord {
  static let byteCountLimit = 64 << 10

  /// The network; nil if the file does not state it, as in older versions.
  let genesisRoot: [UInt8]?
  /// The numbers as one key's record.
  package let record: SlashingRecord

  /// Whether a file's first bytes have Teku's members.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.contains("lastSignedBlockSlot:") && beginning.contains("lastSignedAttestation")
  }

  /// Parses a complete file; nil for another kind of file.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - name: its name, which contains the public key.
  package init?(_ bytes: [UInt8], name: [UInt8]) {
    guard Self.isLikely(bytes.span), let text = String(bounded: bytes) else { return nil }
    var members: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
      members[String(line[..<colon].filter { !$0.isWhitespace })] = String(value)
    }
    var isReadable = true
    func number(_ name: String) -> UInt64? {
      guard let digits = members[name], digits != "null", !digits.isEmpty else { return nil }
      let number = UInt64(digits)
      if number == nil { isReadable = false }
      return number
    }
    let maxima = SlashingRecord.Maxima(
      slot: number("lastSignedBlockSlot"), sourceEpoch: number("lastSignedAttestationSourceEpoch"),
      targetEpoch: number("lastSignedAttestationTargetEpoch"))
    guard isReadable else { return nil }
    let root = (members["genesisValidatorsRoot"] ?? members["genesis_validators_root"]).flatMap {
      Self.bytes($0, count: 32)
    }
    genesisRoot = root
    let last = name.split(separator: UInt8(ascii: "/")).last ?? []
    let key = Self.bytes(String(decoding: last.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self), count: 48)
    record = SlashingRecord(genesisRoot: root, keys: [key ?? []: maxima])
  }

  private static func bytes(_ text: String, count: Int) -> [UInt8]? {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    guard let bytes = Hex.decode(digits), bytes.count == count else { return nil }
    return bytes
  }
}
