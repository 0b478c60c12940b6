package import FuekiSystem
internal import Glibc

/// Replaces ``QRCode`` in the bundled program, which prints no codes.
package struct QRCode: Sendable {
  /// Always 0.
  package let width = 0

  /// Always fails.
  ///
  /// - Throws: `ENOSYS`, always.
  package init(_ text: String) throws(SystemError) {
    throw SystemError(code: ENOSYS, call: "a code")
  }

  /// Always light.
  package subscript(row: Int, column: Int) -> Bool { false }
}
