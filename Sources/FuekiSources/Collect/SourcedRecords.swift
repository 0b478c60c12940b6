public import FoundationEssentials
public import FuekiCrypto
public import FuekiWallet

/// The records that other programs' files have brought into a bundle.
///
/// A restored store holds copies of other programs' files and of the records in them. If such a file is a source of the
/// next backup too, the archive would hold both: the store leaves out its copies of the records listed here.
public struct SourcedRecords: Sendable {
  /// The fate of a store's copy of a file.
  public enum CopyFate: Equatable, Sendable {
    /// It goes into the archive.
    case kept
    /// A source brings the file itself, and its version counts.
    case leftOut
    /// A source brings the same bytes from another place, so this one needs an id of its own.
    case renamed(id: [UInt8])
  }

  private struct RecordIdentity: Hashable {
    let section: Section
    let id: [UInt8]
  }

  /// The kinds of the sources that bring the file of a place.
  ///
  /// A place has one file, but versions of this program may name different programs for it.
  private var files: [[UInt8]: Set<String>] = [:]
  /// Where the file with an id is.
  private var filePlaces: [[UInt8]: [UInt8]?] = [:]
  /// Digests of the records with an id; of secrets, of the secret alone.
  private var records: [RecordIdentity: Set<Digest>] = [:]
  private var sections: Set<Section> = []
  private let digests = SecretDigests()

  /// No records yet.
  public init() {}

  // MARK: files

  /// Whether a source of the same kind brings a file already, by its id or from its place.
  public func has(file id: [UInt8], source: String, place: [UInt8]?) -> Bool {
    guard filePlaces[id] == nil else { return true }
    return place.flatMap { files[$0] }?.contains(source) ?? false
  }

  /// Lists a file.
  ///
  /// - Parameters:
  ///   - id: the id that it has in the bundle.
  ///   - source: the kind of its source.
  ///   - place: the path that it goes back to; nil if it is not known.
  public mutating func add(file id: [UInt8], source: String, place: [UInt8]?) {
    if let place { files[place, default: []].insert(source) }
    filePlaces.updateValue(place, forKey: id)
  }

  /// Decides the fate of a store's copy of a file.
  public func fate(ofCopy id: [UInt8], place: [UInt8]?) -> CopyFate {
    if let place, files[place] != nil { return .leftOut }
    guard let other = filePlaces[id] else { return .kept }
    guard let place, let other, other != place else { return .leftOut }
    return .renamed(id: FileIDs.id(id, inAnotherPlace: place))
  }

  // MARK: records

  /// Whether there are records of a section.
  public func has(_ section: Section) -> Bool { sections.contains(section) }

  /// The ids of the records of a section.
  public func ids(of section: Section) -> [[UInt8]] {
    records.keys.filter { $0.section == section }.map(\.id)
  }

  /// Whether a record's message is the same as one listed here, no matter how its fields are ordered.
  public func has(_ message: [UInt8], of section: Section) -> Bool {
    guard let id = try? RecordEntry.id(of: message.span, in: section) else { return false }
    return records[RecordIdentity(section: section, id: id)]?.contains(RecordEntry.digest(of: message.span))
      ?? false
  }

  mutating func add(_ message: [UInt8], of section: Section) {
    guard let id = try? RecordEntry.id(of: message.span, in: section) else { return }
    insert(id, RecordEntry.digest(of: message.span), section)
  }

  // MARK: secrets

  /// Records a private key, or a key share.
  public mutating func add(secret: SharedSecret, id: [UInt8], of section: Section) {
    insert(id, digest(of: secret), section)
  }

  /// Whether a private key or key share with this id is listed with the same secret.
  public func has(secret: SharedSecret, id: [UInt8], of section: Section) -> Bool {
    records[RecordIdentity(section: section, id: id)]?.contains(digest(of: secret)) ?? false
  }

  /// Whether a key share is listed, whose descriptor is listed with it.
  public func has(shareDescriptor id: Data) -> Bool {
    records[RecordIdentity(section: .keyShares, id: [UInt8](id))] != nil
  }

  private func digest(of secret: SharedSecret) -> Digest {
    secret.bytes.withBytes { digests.digest(of: $0) }
  }

  private mutating func insert(_ id: [UInt8], _ digest: Digest, _ section: Section) {
    sections.insert(section)
    records[RecordIdentity(section: section, id: id), default: []].insert(digest)
  }
}

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
