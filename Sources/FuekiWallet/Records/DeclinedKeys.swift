/// Unencrypted keys of a source that stay out of an archive because their owner decided so.
public struct DeclinedKeys: Codable, Hashable, Sendable {
  /// The table of the configuration that holds the decision.
  public enum Decision: String, CaseIterable, Codable, Sendable {
    /// `private_keys = false` in a `[[target]]`.
    case target
    /// `include_private_keys = false` in the source's `[[source]]`.
    case source

    /// What would let the keys leave: the end of the sentence "it leaves …" in a report.
    public var condition: String {
      switch self {
      case .target: "only without private_keys = false in the [[target]]"
      case .source: "only without include_private_keys = false in its [[source]]"
      }
    }
  }

  /// The source's name in reports.
  public let source: String
  /// The decision's table.
  public let decision: Decision
}

extension SourceReport {
  /// The unencrypted keys that stay out by a decision, each decision once.
  public var declinedKeys: [DeclinedKeys] {
    DeclinedKeys.Decision.allCases.filter { decision in
      excluded.contains { $0.byRequest && $0.reason.hasSuffix(decision.condition) }
    }.map { DeclinedKeys(source: name, decision: $0) }
  }
}
