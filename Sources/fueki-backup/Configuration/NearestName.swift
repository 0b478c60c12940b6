/// Finds the name that a user probably meant by a misspelled one.
enum NearestName {
  /// Returns the nearest of the candidates, or nil if none is near.
  static func of(_ typed: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (name: $0, distance: distance(typed, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.name.count / 3) ? best.name : nil
  }

  /// How many characters have to be put in, left out or changed.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let change = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
