/// The ids of files that are collected together.
///
/// A file's id is derived from its kind, name and content, so that the same file has the same id in every archive. If
/// two such files come from two places, the second gets an id that also depends on its place.
public struct FileIDs: Sendable {
  /// Where the first file with an id lay.
  private var places: [[UInt8]: [UInt8]?] = [:]

  /// The number of ids so far.
  var count: Int { places.count }

  /// No files yet.
  public init() {}

  /// Returns the id of a file.
  ///
  /// - Parameters:
  ///   - id: derived from its kind, name and content.
  ///   - place: its original place; nil if unknown.
  /// - Returns: `id` for the first file that has it and for the same place, else an id of the place.
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
    ShortDigest.bytes("file in another place", [id, place])
  }
}
