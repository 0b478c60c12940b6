internal import Glibc

/// Represents paths as text without losing any byte.
///
/// Names on Linux are bytes, while options, configuration files and JSON documents are text. A byte that is
/// not part of UTF-8 becomes one of the private characters U+10FE80…U+10FEFF, and ``Swift/String/pathBytes``
/// reverses this. A name that contains such a character is escaped byte by byte, so that no two names share a
/// text.
public enum PathText {
  private static let base: UInt32 = 0x10FE00

  /// Returns the text of a path's bytes.
  public static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !mayHoldEscape(text) { return text }
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let scalar = scalar(at: rest)
      if let scalar, escapedByte(scalar) == nil {
        text.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // Every byte below 0x80 is a character, so only higher ones remain.
        Unicode.Scalar(base + UInt32(first)).map { text.append($0) }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// Returns the text of a C string's path.
  static func text(cString path: UnsafePointer<CChar>) -> String {
    text(unsafe UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
  }

  /// Returns the byte that a character represents; nil for an ordinary character.
  public static func escapedByte(_ scalar: Unicode.Scalar) -> UInt8? {
    base + 0x80...base + 0xFF ~= scalar.value ? UInt8(scalar.value - base) : nil
  }

  static func bytes(_ text: String) -> [UInt8] {
    guard mayHoldEscape(text) else { return [UInt8](text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      escapedByte(scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// Only characters beyond U+FFFFF start with this byte.
  private static func mayHoldEscape(_ text: String) -> Bool { text.utf8.contains(0xF4) }

  /// Returns the character at the start of the bytes; nil if it is invalid.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    for count in 1...4 where count <= bytes.count {
      if let text = String(validating: bytes.prefix(count), as: UTF8.self) {
        return text.unicodeScalars.first
      }
    }
    return nil
  }
}

/// A file's name: text, or the bytes from a directory listing.
///
/// File names on Linux are bytes. Text is for names from the program or the user. Names found on disk stay
/// bytes, because text would alter those that are not UTF-8.
public protocol PathBytes {
  /// The name's bytes, without a terminating zero.
  var pathBytes: [UInt8] { get }
}

/// A path, split before its last component.
public struct PathParts: Equatable, Sendable {
  /// The directory of the last component: `.` if the path has none.
  public let folder: String
  /// The last component; empty if the path ends with a slash.
  public let name: String

  /// Splits a path.
  public init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      (folder, name) = (".", path)
      return
    }
    // Split by bytes, because the name may start with a combining mark, which joins the slash.
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }
}
