/// The use of a target's listing, which determines what is listed or read besides the archives' structures.
package enum ListingUse: Sendable {
  /// Nothing else.
  case structures
  /// A remote's small archives are read whole, because all of their bytes are needed.
  case whole(RemoteCopies)
  /// The storage describes each file's version.
  case tags(ListedFacts)

  /// The receiver of small archives; nil for none.
  var copies: RemoteCopies? {
    if case .whole(let copies) = self { copies } else { nil }
  }

  var facts: ListedFacts {
    if case .tags(let facts) = self { facts } else { .none }
  }
}
