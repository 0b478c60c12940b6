/// A derivation path from a key to a descendant.
///
/// See BIP-32.
public struct DerivationPath: Hashable, Sendable, CustomStringConvertible {
  /// The steps, from the top.
  public var steps: [DerivationStep]

  /// Creates a path from steps.
  public init(_ steps: [DerivationStep] = []) { self.steps = steps }

  /// Parses a path such as `m/84h/0h/0h`, with or without `m/`; nil for any other text.
  public init?(_ text: some StringProtocol) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.first == "m" { parts.removeFirst() }
    let steps = parts.compactMap { DerivationStep($0) }
    guard steps.count == parts.count else { return nil }
    self.steps = steps
  }

  /// The path, starting with `m`.
  public var description: String { steps.reduce("m") { "\($0)/\($1)" } }
}
