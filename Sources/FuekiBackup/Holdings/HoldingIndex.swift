/// The things of an archive, by what identifies them.
///
/// A file in the same place is the same file, also if another version of this program takes it for another program's.
struct HoldingIndex {
  private let byKey: [Holding.Key: Holding]
  private let byPlace: [String: Holding]

  init(_ holdings: [Holding]) {
    byKey = Dictionary(holdings.map { ($0.key, $0) }) { first, _ in first }
    byPlace = Dictionary(holdings.compactMap { holding in holding.place.map { ($0, holding) } }) { first, _ in
      first
    }
  }

  /// The thing of this archive that an archive's thing is; nil if there is none.
  subscript(holding: Holding) -> Holding? { byKey[holding.key] ?? holding.place.flatMap { byPlace[$0] } }
}
