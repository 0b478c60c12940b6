/// Where an answer may come from, and in which order.
public enum CachePolicy: String, CaseIterable, Sendable {
  /// From the chain; where that fails, what was known, marked with its age.
  case networkFirst = "network-first"
  /// What is known, while it is new enough; else as ``networkFirst``.
  case cacheFirst = "cache-first"
  /// From the chain or not at all.
  case networkOnly = "network-only"
  /// What is known, however old, and no chain is asked.
  case cacheOnly = "cache-only"
  /// What is known at once, and then as ``networkFirst``.
  case cacheAndNetwork = "cache-and-network"

  /// One thing to try for an answer.
  enum Step: Equatable, Sendable {
    /// Shows what is known, and goes on.
    case show
    /// Ends with what is known, while it is new enough.
    case fresh
    /// Ends with what the chain says.
    case network
    /// Ends with what is known, however old: memory before store.
    case known
  }

  /// The table of the policies: the first step that gives an answer ends it.
  var steps: [Step] {
    switch self {
    case .networkFirst: [.network, .known]
    case .cacheFirst: [.fresh, .network, .known]
    case .networkOnly: [.network]
    case .cacheOnly: [.known]
    case .cacheAndNetwork: [.show, .network, .known]
    }
  }
}
