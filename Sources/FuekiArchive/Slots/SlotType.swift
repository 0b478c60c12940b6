/// The kinds of slot.
///
/// One that this version does not know is skipped and named. Those that it knows are beside their recipients.
public struct SlotType: Hashable, Sendable {
  /// The type's number in the file.
  public let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type's name, as people and scripts read it.
  public var name: String { kind?.name ?? "unknown-\(rawValue)" }

  /// Whether this version can open such a slot.
  public var isKnown: Bool { kind != nil }

  /// Whether who records an archive today cannot open it with the quantum computers of a later day, as far as this
  /// slot goes; false for an unknown type, of which nobody can tell.
  public var isForTheLongTerm: Bool { kind?.isForTheLongTerm ?? false }

  /// What whoever restores has to know of it; nil for an unknown type.
  public var advice: SlotAdvice? { kind?.advice }

  /// Whether an age recipient names whom a slot is for, be it a plugin's.
  public var isNamedByKey: Bool {
    switch kind?.holder {
    case .key, .plugin: true
    case .secret, .guardians, nil: false
    }
  }

  /// Whether the guardians' public line names whom a slot is for.
  public var isNamedByGuardians: Bool {
    if case .guardians = kind?.holder { true } else { false }
  }

  var kind: SlotKind? { SlotKind.all.first { $0.type == self } }
}
