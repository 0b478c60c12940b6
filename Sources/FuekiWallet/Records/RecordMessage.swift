/// A message nested in records.
public final class RecordMessage: Sendable {
  /// The fields, in ascending number.
  public let fields: [RecordField]

  /// Creates a message from its fields, in any order.
  init(_ fields: RecordField...) { self.fields = fields.sorted { $0.number < $1.number } }
}

extension RecordMessage {
  /// `Extra`, the type of field 15 in every record.
  public static let extra = RecordMessage(
    .always(1, "name", .text), .choice(2, "integer", .zigzag), .choice(3, "real", .real),
    .choice(4, "text", .text), .choice(5, "blob", .bytes), .choice(6, "json", .text))
}
