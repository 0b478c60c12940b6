internal import FoundationEssentials
public import FuekiWallet

extension Query {
  /// The names of the fields that select records of the kind.
  public static var fields: [String] { Record.kind.fields.filter(selects).map(\.name) }

  /// The records whose field has a value, or a lower one where the look-up is a limit.
  ///
  /// - Parameters:
  ///   - name: one of ``fields``.
  ///   - text: the value, as exports in JSON spell it: bytes in base64.
  /// - Returns: the query.
  /// - Throws: ``RecordTextError``.
  public static func by(_ name: String, text: String) throws(RecordTextError) -> Self {
    guard let field = Record.kind.fields.first(where: { $0.name == name && selects($0) }) else {
      throw .noField(name)
    }
    let value: QueryCondition.Value? =
      switch (field.lookUp, field.value) {
      case (.word(let word), _): word == text ? .word : nil
      case (.limit, _): Int64(text).map(QueryCondition.Value.below)
      case (_, .packed): .bytes(PackedText.pack(text))
      case (_, .bytes): Data(base64Encoded: text).map(QueryCondition.Value.bytes)
      default: .text(text)
      }
    guard let value else { throw .notAValue(field: name) }
    return by(name, value)
  }

  private static func selects(_ field: RecordField) -> Bool {
    if field.name == Record.kind.identity?.name { return true }
    switch field.place {
    case .parent, .rowOf, .list: return true
    case .column: break
    }
    return switch field.lookUp {
    case .key, .word, .limit: true
    case .time, .position, .words, nil: false
    }
  }
}
