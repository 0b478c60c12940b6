internal import FuekiSystem

/// A name with `*` for any characters.
public struct NamePattern: Sendable {
  private let bytes: [UInt8]
  private static let star = UInt8(ascii: "*")

  /// Creates a pattern for one name.
  public init(_ text: String) { bytes = text.pathBytes }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a name matches.
  public func matches(_ name: String) -> Bool { matches(name.pathBytes) }

  func matches(_ name: [UInt8]) -> Bool {
    if name.first == UInt8(ascii: "."), bytes.first == Self.star { return false }
    // The position of the last star, and the length of its match.
    var (place, index) = (0, 0)
    var (star, taken) = (Int?.none, 0)
    while index < name.count {
      if place < bytes.count, bytes[place] == Self.star {
        (star, taken) = (place, index)
        place += 1
      } else if place < bytes.count, bytes[place] == name[index] {
        place += 1
        index += 1
      } else if let star {
        taken += 1
        (place, index) = (star + 1, taken)
      } else {
        return false
      }
    }
    return bytes[place...].allSatisfy { $0 == Self.star }
  }
}
