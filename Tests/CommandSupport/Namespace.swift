internal import TestSupport

/// Mounts of a process's own, without being root.
package enum Namespace {
  package static let isPermitted: Bool =
    (try? BuiltBinary.run(program: "/usr/bin/unshare", ["-Urm", "/bin/true"]).status) == 0

  /// A shell in a namespace of its own, which has the program and its arguments as `"$@"` and the target as `$T`.
  package static func shell(_ script: String, _ machine: Machine) -> [String] {
    ["/usr/bin/unshare", "-Urm", "/usr/bin/env", "T=\(machine.target)", "/bin/sh", "-c", script, "sh"]
  }
}
