internal import FuekiSystem
internal import Glibc

/// A program that this machine may have, for tests that compare with what others wrote.
package enum InstalledProgram {
  /// Where Debian's packages put it; nil where it is not installed.
  package static func path(_ name: String) -> String? {
    ["/usr/bin/\(name)", "/usr/local/bin/\(name)"].first { unsafe access($0, X_OK) == 0 }
  }

  /// The Python that has the packages the tests ask for: FUEKI_PYTHON, the one that `.ci/setup tests` made, or
  /// Debian's; nil where none of them has all of the modules.
  package static func python(with modules: String...) -> String? {
    let places = [
      Environment.get("FUEKI_PYTHON"), "\(Repository.path)/.build/python/bin/python",
      "/usr/bin/python3",
    ]
    return places.compactMap { $0 }.first { python in
      let test = "import \(modules.joined(separator: ", "))"
      let result = try? BuiltBinary.run(program: python, ["-c", test])
      return result?.status == 0
    }
  }
}
