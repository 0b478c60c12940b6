internal import CQREncode
package import FuekiSystem
internal import Glibc

/// A text's QR code at error correction level M.
package struct QRCode: Sendable {
  /// The width and height in modules, without the quiet zone.
  package let width: Int
  private let modules: [Bool]

  /// Encodes a text in the smallest version that fits.
  ///
  /// Upper case letters and digits take the least room.
  ///
  /// - Throws: `ERANGE` if no version fits, `ENOMEM`.
  package init(_ text: String) throws(SystemError) {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let code = unsafe isASCII ? QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) : Self.marked(text)
    guard let code = unsafe code else { throw SystemError(code: errno, call: "QRcode_encodeString") }
    defer { unsafe QRcode_free(code) }
    let width = unsafe Int(code.pointee.width)
    self.width = width
    modules = (0..<width * width).map { unsafe code.pointee.data[$0] & 1 == 1 }
  }

  /// Encodes with a UTF-8 marker, because readers otherwise guess the encoding.
  private static func marked(_ text: String) -> UnsafeMutablePointer<CQREncode.QRcode>? {
    guard let input = unsafe QRinput_new2(0, QR_ECLEVEL_M) else { return nil }
    defer { unsafe QRinput_free(input) }
    let bytes = [UInt8](text.utf8)
    let utf8: UInt32 = 26
    guard unsafe QRinput_appendECIheader(input, utf8) == 0,
      unsafe QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0
    else { return nil }
    return unsafe QRcode_encodeInput(input)
  }

  /// Whether a module is dark.
  ///
  /// Modules outside the code are light.
  package subscript(row: Int, column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return modules[row * width + column]
  }
}
