internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Ids of records from a chain, equal on every machine that resyncs the same wallet.
///
/// They are UUIDs (version 8) of the SHA-256 of the record's identity, so that a merge of two stores
/// recognises them.
enum ResyncID {
  static func id(_ parts: [String]) -> Data {
    var hash = SHA256()
    hash.update(Array("fueki/1 resync".utf8))
    for part in parts { hash.update([0] + Array(part.utf8)) }
    var bytes = Array(hash.finalize().bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return Data([PackedText.Form.upperCaseUUID.rawValue] + bytes)
  }
}
