internal import FuekiSystem
internal import Glibc

/// A program that may be installed, for tests that compare with other programs.
package enum InstalledProgram {
  /// Returns a program's path in Debian's places, or `nil` if it is not installed.
  package static func path(_ name: String) -> String? {
    ["/usr/bin/\(name)", "/usr/local/bin/\(name)"].first { unsafe access($0, X_OK) == 0 }
  }

  /// Returns a Python that has the given modules, or `nil` if there is none.
  ///
  /// Candidates are FUEKI_PYTHON, the one of `.ci/setup tests`, and Debian's.
  package static func python(with modules: String...) -> String? {
    let places = [
      Environment.get("FUEKI_PYTHON"), "\(SourceTree.path)/.build/python/bin/python",
      "/usr/bin/python3",
    ]
    return places.compactMap { $0 }.first { python in
      let test = "import \(modules.joined(separator: ", "))"
      let result = try? BuiltBinary.run(program: python, ["-c", test])
      return result?.status == 0
    }
  }
}
