internal import FuekiSystem

/// What the tests' choices are drawn by: the same for a commit, so that a failure is met again, and another with the next.
///
/// Names of temporary files, ports and secrets are no choices: those of two runs at once have to differ.
package enum TestSeed {
  /// FUEKI_SEED; else the commit's first digits; else, in a tree without git, a fixed number.
  package static let value: Int = {
    let seed = Environment.get("FUEKI_SEED").flatMap { Int($0) } ?? commit ?? 20_261_121
    print("the tests' choices: FUEKI_SEED=\(seed)")
    return seed
  }()

  /// Twelve digits, so that sums with it do not overflow.
  private static var commit: Int? {
    // A folder inside another repository is none of that one's commits.
    guard let git = InstalledProgram.path("git"),
      (try? Directory.open(Repository.path).contains(".git")) == true
    else { return nil }
    // The tree may be somebody else's, as in a container.
    let arguments = ["-c", "safe.directory=*", "-C", Repository.path, "rev-parse", "HEAD"]
    let run = try? BuiltBinary.run(program: git, arguments)
    return (run?.text.prefix(12)).flatMap { Int($0, radix: 16) }
  }

  /// A generator of its own for a test, whichever others run.
  package static func random(_ name: String = #function) -> RandomSource {
    // FNV-1a: Swift's own hashes differ from run to run.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return RandomSource(seed: hash ^ UInt64(truncatingIfNeeded: value))
  }
}
