/// The use of a target's listing, which determines what is listed or read besides the archives' structures.
package enum ListingUse: Sendable {
  /// Nothing else.
  case structures
  /// A remote's small archives are read whole, because all of their bytes are needed.
  case whole(RemoteCopies)
  /// The storage describes each file's version.
  case tags(ListedFacts)

  /// Structures from an earlier listing are not read again.
  case remembered(RememberedStructures)

  /// The receiver of small archives; nil for none.
  var copies: RemoteCopies? {
    if case .whole(let copies) = self { copies } else { nil }
  }

  /// The structures from an earlier listing; nil for none.
  var structures: RememberedStructures? {
    if case .remembered(let structures) = self { structures } else { nil }
  }

  var facts: ListedFacts {
    switch self {
    case .structures, .whole: .none
    case .tags(let facts): facts
    case .remembered(let structures): structures.facts
    }
  }
}
