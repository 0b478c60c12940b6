/// The scopes opened by a slot, 1…7.
public struct ScopeMask: Hashable, Sendable {
  /// The combined bits of ``ArchiveScope/bit``.
  public let rawValue: UInt8

  /// Every scope.
  public static let all = ScopeMask(ArchiveScope.allCases)

  init?(rawValue: UInt8) {
    guard (1...7).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a mask of `scopes`, which must not be empty.
  public init(_ scopes: [ArchiveScope]) {
    precondition(!scopes.isEmpty, "a slot that opens nothing is not a slot")
    rawValue = scopes.reduce(0) { $0 | $1.bit }
  }

  /// The scopes of the mask, in ascending order.
  public var scopes: [ArchiveScope] { ArchiveScope.allCases.filter { rawValue & $0.bit != 0 } }
}
