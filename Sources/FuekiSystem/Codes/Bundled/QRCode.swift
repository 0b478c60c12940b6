internal import Glibc

/// Replaces ``QRCode`` in the bundled program, which prints no codes.
public struct QRCode: Sendable {
  /// Always 0.
  public let width = 0

  /// Always fails.
  ///
  /// - Throws: `ENOSYS`, always.
  public init(_ text: String) throws(SystemError) {
    throw SystemError(code: ENOSYS, call: "a code")
  }

  /// Always light.
  public subscript(row: Int, column: Int) -> Bool { false }
}
