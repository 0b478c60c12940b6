/// A type whose cases are walked one after another.
///
/// Each case names the next, so that the compiler asks for a case that is new.
protocol Walked {
  /// The case after this one; the first after nil, and nil after the last.
  static func next(after known: Self?) -> Self?
}

extension Walked {
  static var all: [Self] {
    Array(
      sequence(state: Self?.none) { known in
        known = next(after: known)
        return known
      })
  }
}
