import TestSupport

/// Whether this machine has the other programs that a test needs.
package enum Installed {
  /// Whether a program is there and ends well with these arguments.
  package static func runs(_ program: String, _ arguments: [String] = ["--version"]) -> Bool {
    (try? BuiltBinary.run(program: program, arguments))?.status == 0
  }
}
