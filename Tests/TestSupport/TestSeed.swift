internal import FuekiSystem

/// The seed of the tests' random choices.
///
/// It is fixed for a commit, so that failures are reproducible, and differs between commits. Names of
/// temporary files, ports and secrets do not depend on it, because concurrent runs must differ in them.
package enum TestSeed {
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

  /// Returns a generator for a test, independent of other tests.
  package static func random(_ name: String = #function) -> RandomSource {
    // FNV-1a, because Swift's hashes differ between runs.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return RandomSource(seed: hash ^ UInt64(truncatingIfNeeded: value))
  }
}
