/// Unencrypted keys of a source that their owner decided to leave out of an archive.
public struct DeclinedKeys: Codable, Hashable, Sendable {
  /// The configuration table with the decision.
  public enum Decision: String, CaseIterable, Codable, Sendable {
    /// `private_keys = false` in a `[[target]]`.
    case target
    /// `include_private_keys = false` in the source's `[[source]]`.
    case source

    /// The condition for including the keys: the end of the sentence "it leaves …" in a report.
    public var condition: String {
      switch self {
      case .target: "only without private_keys = false in the [[target]]"
      case .source: "only without include_private_keys = false in its [[source]]"
      }
    }
  }

  /// The source's name in reports.
  public let source: String
  /// The table with the decision.
  public let decision: Decision
}

extension SourceReport {
  /// The unencrypted keys left out by decision, once for each decision.
  public var declinedKeys: [DeclinedKeys] {
    DeclinedKeys.Decision.allCases.filter { decision in
      excluded.contains { $0.byRequest && $0.reason.hasSuffix(decision.condition) }
    }.map { DeclinedKeys(source: name, decision: $0) }
  }
}
