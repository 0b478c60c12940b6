/// How each column of a record is given to the statement that inserts it: four bits for each of 16 columns.
struct InsertionPattern: Hashable, Sendable {
  static let places = 16

  /// How one column is given.
  enum Part: Hashable {
    case absent
    /// As an argument.
    case bound
    /// As an argument, the parent's id: it is not in the store.
    case missingParent
    /// As the next so many bytes of the joined argument.
    case piece(Int)
    /// As what is left of the joined argument.
    case rest
    /// As one of the column's common texts.
    case commonText(Int)

    /// The lengths of packed UUIDs, addresses and hashes.
    static let pieceLengths = [17, 21, 33]

    init?(pieceOf length: Int) {
      guard Self.pieceLengths.contains(length) else { return nil }
      self = .piece(length)
    }
  }

  private var bits: UInt64 = 0
  /// Whether the record's row is given, as the last argument.
  var hasRow = false

  /// Whether the first argument is the joined one.
  private(set) var hasJoined = false

  subscript(place: Int) -> Part {
    get {
      guard place < Self.places else { return .bound }
      let code = Int(bits >> UInt64(4 * place) & 15)
      switch code {
      case 0: return .absent
      case 1: return .bound
      case 2: return .missingParent
      case 3: return .rest
      case 4...7: return .piece(Part.pieceLengths[min(code - 4, Part.pieceLengths.count - 1)])
      default: return .commonText(code - 8)
      }
    }
    set {
      guard place < Self.places else { return }
      let code: Int
      switch newValue {
      case .absent: code = 0
      case .bound: code = 1
      case .missingParent: code = 2
      case .rest: code = 3
      case .piece(let length): code = 4 + (Part.pieceLengths.firstIndex(of: length) ?? 0)
      case .commonText(let index): code = 8 + index
      }
      bits |= UInt64(code) << UInt64(4 * place)
      if code >= 3, code < 8 { hasJoined = true }
    }
  }

  /// The statement that inserts records of this pattern.
  func insertion(into table: StoreTable, _ slots: [RecordBinding.Slot]) -> String {
    var names: [String] = []
    var values: [String] = []
    var number = hasJoined ? 1 : 0
    var offset = 1
    var rest: Int?
    func argument() -> String {
      number += 1
      return "?\(number)"
    }
    for (place, slot) in slots.enumerated() {
      let part = self[place]
      switch part {
      case .absent: continue
      // A text with U+0000 comes as bytes.
      case .bound: values.append(slot.isText ? "CAST(\(argument()) AS TEXT)" : argument())
      case .missingParent: values.append(argument())
      case .commonText(let index):
        values.append("'\(String(decoding: slot.commonTexts[index], as: UTF8.self))'")
      case .piece(let length):
        values.append("substr(?1, \(offset), \(length))")
        offset += length
      case .rest:
        rest = values.count
        values.append("")
      }
      names.append(slot.parent == nil ? slot.name : slot.name + (part == .missingParent ? "_id" : "_row"))
    }
    if let rest { values[rest] = "substr(?1, \(offset))" }
    if hasRow || names.isEmpty {
      names.append("row_id")
      values.append(hasRow ? argument() : "NULL")
    }
    return """
      INSERT INTO \(table.name.rawValue) (\(names.joined(separator: ", ")))
      VALUES (\(values.joined(separator: ", ")))
      """
  }
}
