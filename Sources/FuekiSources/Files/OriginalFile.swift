internal import FoundationEssentials
public import FuekiWallet

/// A file of another program, as an archive has it: all but its bytes.
public struct OriginalFile: Sendable, Hashable {
  /// Identifies the file.
  package struct Key: Hashable, Sendable {
    package let section: Section
    package let id: [UInt8]
    package let source: String
    package let path: [UInt8]

    package init(section: Section, id: [UInt8], source: String, path: [UInt8]) {
      (self.section, self.id, self.source, self.path) = (section, id, source, path)
    }
  }

  package let key: Key
  /// Its original place: `~/…` below the home directory, else absolute; nil if unknown.
  public let place: [UInt8]?
  /// Whose file it is; may be empty.
  public let program: String
  /// The format that the collector recognised; may be empty.
  public let format: String
  /// Its length.
  public let byteCount: UInt64
  /// When it was changed, in microseconds since 1970.
  public let modifiedAt: Int64?
  package let mode: UInt32?
  /// The dangers of an old or second copy.
  public let hazards: [String]

  /// ``Section/files``, or ``Section/secretFiles`` for a file with secrets in the clear.
  public var section: Section { key.section }
  /// The kind of the collector that found it.
  public var source: String { key.source }
  /// Its name below the source's folder.
  public var path: [UInt8] { key.path }

  package init(_ part: FilePart, _ section: Section) {
    key = Key(part, section)
    place = part.hasPlace ? [UInt8](part.place) : nil
    (program, format, byteCount) = (part.program, part.format, part.total)
    modifiedAt = part.hasModifiedAt ? part.modifiedAt : nil
    mode = part.hasMode ? part.mode : nil
    hazards = Self.hazards(part.extra)
  }

  package init(_ part: SecretFilePart) {
    key = Key(section: .secretFiles, id: part.id, source: part.source, path: part.path)
    (place, program, format, byteCount) = (part.place, part.program, part.format, part.total)
    (modifiedAt, mode) = (part.modifiedAt, part.mode)
    hazards = Self.hazards(part.extra)
  }

  /// A file without the facts that are needed to restore it.
  package init(_ key: Key, place: [UInt8]?, program: String, format: String) {
    (self.key, self.place, self.program, self.format) = (key, place, program, format)
    (byteCount, modifiedAt, mode, hazards) = (0, nil, nil, [])
  }

  private static func hazards(_ extra: [Extra]) -> [String] {
    guard case .json(let text)? = extra.first(where: { $0.name == "hazards" })?.value,
      let list = try? JSONDocument(Array(text.utf8), limit: 1 << 12).root
    else { return [] }
    return list.children.compactMap(\.string)
  }

  /// The permissions that it gets: at most its owner's, and never that of being run.
  package var permissions: UInt16 { Self.permissions(for: mode) }

  /// The permissions that a file with these gets, where it is put back.
  package static func permissions(for mode: UInt32?) -> UInt16 {
    let owner = UInt16(truncatingIfNeeded: (mode ?? 0o600) & 0o600)
    return owner & 0o400 == 0 ? 0o600 : owner
  }
}

extension OriginalFile.Key {
  package init(_ part: FilePart, _ section: Section) {
    self.init(section: section, id: [UInt8](part.id), source: part.source, path: [UInt8](part.path))
  }
}
