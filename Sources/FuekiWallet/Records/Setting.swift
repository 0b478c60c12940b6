internal import SwiftProtobuf
public import FoundationEssentials

extension RecordKind {
  /// Settings, one record each.
  static let setting = RecordKind(
    .settings, "settings", .record(Setting.self), in: .settings,
    [.always(1, "key", .text), .always(2, "value", .text), .optional(3, "updated_at", .time)])
}

extension Setting: SectionRecord {
  /// Section 5.
  public static var kind: RecordKind { .setting }
  /// The key, which cannot be changed through the id.
  public var id: Data {
    get { Data(key.utf8) }
    set {}
  }
  /// The key.
  public var recordID: RecordID { RecordID(key) }
  /// The time of its last change.
  public var lastChange: Int64? { hasUpdatedAt ? updatedAt : nil }
}

extension Setting {
  /// The prefix of labels' keys, followed by the type and reference of the labelled item, as in BIP-329.
  package static let labelPrefix = "label."
}

extension Extra {
  /// Creates an entry from a JSON member's source text.
  package init(_ name: String, json: String) {
    self.init()
    self.name = name
    self.json = json
  }
}
