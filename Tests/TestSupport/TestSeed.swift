internal import FuekiSystem

/// The seed of the tests' random choices.
///
/// It is the number in Tests/seed, so two runs have the same cases. A commit that changes the number runs other samples.
/// Names of temporary files, ports and secrets do not depend on it, because concurrent runs must differ in them.
package enum TestSeed {
  /// Whether all cases run, and not a sample of them: FUEKI_FULL=1.
  package static let isFull = Environment.get("FUEKI_FULL") == "1"

  /// The value of FUEKI_SEED, or else the number in Tests/seed.
  package static let value: Int = {
    let file = try? File.open("\(SourceTree.path)/Tests/seed").readAll(limit: 64)
    let text = Environment.get("FUEKI_SEED") ?? String(decoding: file ?? [], as: UTF8.self)
    guard let seed = Int(text.filter { !$0.isWhitespace }) else {
      preconditionFailure("FUEKI_SEED or Tests/seed is not a number: \(text)")
    }
    print("the tests' choices: FUEKI_SEED=\(seed)")
    return seed
  }()

  /// Returns the cases to run: all of them with FUEKI_FULL=1, else some that are spread evenly, others with each seed.
  package static func sample<Case>(_ cases: [Case], of count: Int) -> [Case] {
    guard !isFull, count < cases.count else { return cases }
    let first = Int(UInt(bitPattern: value) % UInt(cases.count))
    let places = (0..<count).map { (first + $0 * cases.count / count) % cases.count }
    return places.sorted().map { cases[$0] }
  }

  /// Returns a generator for a test, independent of other tests.
  package static func random(_ name: String = #function) -> RandomSource {
    // FNV-1a, because Swift's hashes differ between runs.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return RandomSource(seed: hash ^ UInt64(truncatingIfNeeded: value))
  }
}
