internal import Glibc

/// What stands for ``QRCode`` in the program beside the archives, which prints nothing.
public struct QRCode: Sendable {
  /// None.
  public let width = 0

  /// Makes none.
  ///
  /// - Throws: `ENOSYS`, always.
  public init(_ text: String) throws(SystemError) {
    throw SystemError(code: ENOSYS, call: "a code")
  }

  /// Light everywhere.
  public subscript(row: Int, column: Int) -> Bool { false }
}
