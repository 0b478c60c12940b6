/// One of the three scopes of an archive, each with its own root key and stream (fueki-archive(5), SCOPES AND KEYS).
public enum ArchiveScope: UInt8, CaseIterable, Sendable, Comparable {
  case profile = 1
  case history = 2
  case secrets = 3

  /// The scope's bit in a slot's mask.
  public var bit: UInt8 { 1 << (rawValue - 1) }

  /// The scope's name in commands and JSON.
  public var name: String {
    switch self {
    case .profile: "profile"
    case .history: "history"
    case .secrets: "secrets"
    }
  }

  /// The ids of the sections that the scope's stream may hold.
  public var sectionIDs: ClosedRange<UInt16> {
    switch self {
    case .profile: 1...31
    case .history: 32...63
    case .secrets: 64...95
    }
  }

  /// Returns the scope of section `id`, or nil if no stream may hold it.
  public init?(sectionID id: UInt16) {
    guard let scope = Self.allCases.first(where: { $0.sectionIDs.contains(id) }) else { return nil }
    self = scope
  }

  /// The order of the scopes' streams in the file.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
