/// The sources of an answer, and their order.
public enum CachePolicy: String, CaseIterable, Sendable {
  /// From the network.
  ///
  /// If that fails, the known value, marked with its age.
  case networkFirst = "network-first"
  /// The known value if it is recent enough, else as ``networkFirst``.
  case cacheFirst = "cache-first"
  /// Only from the network.
  case networkOnly = "network-only"
  /// The known value, whatever its age, without a request.
  case cacheOnly = "cache-only"
  /// The known value immediately, then as ``networkFirst``.
  case cacheAndNetwork = "cache-and-network"

  /// A step in finding an answer.
  enum Step: Equatable, Sendable {
    /// Shows the known value and continues.
    case show
    /// Ends with the known value if it is recent enough.
    case fresh
    /// Ends with the network's answer.
    case network
    /// Ends with the known value, whatever its age, from memory before the second level.
    case known
  }

  /// The steps of the policy.
  ///
  /// The first one with an answer ends it.
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
