internal import FuekiCrypto

/// The ids of files that are collected together.
///
/// A file's id says its kind, its name and its content, so that the same file has the same one in every archive. Where
/// two such files lie in two places, the second has an id of its own, in which its place is.
public struct FileIDs: Sendable {
  /// Where the first file with an id lay.
  private var places: [[UInt8]: [UInt8]?] = [:]

  /// No files yet.
  public init() {}

  /// The id of a file.
  ///
  /// - Parameters:
  ///   - id: its kind, name and content.
  ///   - place: where it lay; nil where nobody noted that.
  /// - Returns: the same id for the first that has it, and for the same place.
  public mutating func id(_ id: [UInt8], at place: [UInt8]?) -> [UInt8] {
    guard let first = places[id] else {
      places.updateValue(place, forKey: id)
      return id
    }
    guard let place, first != place else { return id }
    return Self.id(id, inAnotherPlace: place)
  }

  /// The id of a file whose kind, name and content are those of a file in another place.
  static func id(_ id: [UInt8], inAnotherPlace place: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(Array("fueki/1 file in another place\0".utf8), id, place).bytes.prefix(16))
  }
}
