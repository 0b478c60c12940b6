internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

extension RecordShelf {
  /// Returns a record's name for people: its id as text, a setting's key, or a file's path.
  func name(of record: Record) throws -> String {
    if let part = record as? FilePart { return String(decoding: part.path, as: UTF8.self) }
    switch table.kind.idField?.value {
    case .text: return String(decoding: record.id, as: UTF8.self)
    case .packed: return PackedText.text(record.id) ?? "an id of \(record.id.count) bytes"
    default: return Hex.encode(record.id.span)
    }
  }
}
