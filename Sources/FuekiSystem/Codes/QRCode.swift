internal import CQREncode
internal import Glibc

/// A QR code of a text, at error correction level M.
public struct QRCode: Sendable {
  /// How many modules wide and high it is, without the quiet zone around it.
  public let width: Int
  private let modules: [Bool]

  /// Encodes a text in the smallest version that holds it; upper case letters and digits take the least room.
  ///
  /// - Throws: `ERANGE` where no version holds it, `ENOMEM`.
  public init(_ text: String) throws(SystemError) {
    let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
    guard let code = unsafe code else { throw SystemError(code: errno, call: "QRcode_encodeString") }
    defer { unsafe QRcode_free(code) }
    let width = unsafe Int(code.pointee.width)
    self.width = width
    modules = (0..<width * width).map { unsafe code.pointee.data[$0] & 1 == 1 }
  }

  /// Whether the module there is dark; those outside the code are light.
  public subscript(row: Int, column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return modules[row * width + column]
  }
}
