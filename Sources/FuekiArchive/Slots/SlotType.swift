/// The types of slots.
///
/// Unknown types are skipped and reported. Known types are defined next to their recipients.
public struct SlotType: Hashable, Sendable {
  /// The type's number in the file.
  public let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type's name in output and JSON.
  public var name: String { kind?.name ?? "unknown-\(rawValue)" }

  /// Whether this version can open such a slot.
  public var isKnown: Bool { kind != nil }

  /// Whether it withstands future quantum computers in the hands of someone who records an archive today.
  ///
  /// False for an unknown type.
  public var isForTheLongTerm: Bool { kind?.isForTheLongTerm ?? false }

  /// Advice for a restore; nil for an unknown type.
  public var advice: SlotAdvice? { kind?.advice }

  /// Whether the slot's recipient is an age recipient, including a plugin's.
  public var isNamedByKey: Bool {
    switch kind?.holder {
    case .key, .plugin: true
    case .secret, .guardians, nil: false
    }
  }

  /// Whether the slot's recipient is the guardians' public line.
  public var isNamedByGuardians: Bool {
    if case .guardians = kind?.holder { true } else { false }
  }

  var kind: SlotKind? { SlotKind.all.first { $0.type == self } }
}
