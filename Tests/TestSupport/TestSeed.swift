internal import FuekiSystem

/// The seed of the tests' random choices.
///
/// It is fixed for a commit, so that failures are reproducible, and differs between commits. Names of
/// temporary files, ports and secrets do not depend on it, because concurrent runs must differ in them.
package enum TestSeed {
  /// Whether all cases run, and not a sample of them: FUEKI_FULL=1.
  package static let isFull = Environment.get("FUEKI_FULL") == "1"

  /// The value of FUEKI_SEED, or else of the commit's first digits, or a constant in a tree without git.
  package static let value: Int = {
    let seed = Environment.get("FUEKI_SEED").flatMap { Int($0) } ?? commit ?? 20_261_121
    print("the tests' choices: FUEKI_SEED=\(seed)")
    return seed
  }()

  /// The value of the commit's first twelve digits, few enough that sums do not overflow.
  private static var commit: Int? {
    // If the tree is inside another repository, that one's commit is irrelevant.
    guard let git = InstalledProgram.path("git"),
      (try? Directory.open(Repository.path).contains(".git")) == true
    else { return nil }
    // The tree may belong to another user, for example in a container.
    let arguments = ["-c", "safe.directory=*", "-C", Repository.path, "rev-parse", "HEAD"]
    let run = try? BuiltBinary.run(program: git, arguments)
    return (run?.text.prefix(12)).flatMap { Int($0, radix: 16) }
  }

  /// Returns the cases to run: all of them with FUEKI_FULL=1, else some that are spread evenly, others with each seed.
  ///
  /// - Parameters:
  ///   - cases: all cases, in a fixed order.
  ///   - count: the number of cases in a sample.
  /// - Returns: the cases in the same order.
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
