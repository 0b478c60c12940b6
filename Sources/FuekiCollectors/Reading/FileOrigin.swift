internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
public import FuekiSources

/// A file's original place and program, for putting it back.
struct FileOrigin: Sendable {
  /// `~/…` in the home directory, else absolute, as the file system's bytes; nil if unknown.
  let place: [UInt8]?
  /// The file's program; empty if unknown.
  var program: String
  /// The version of that program; empty if the files do not state it, as is usual.
  var version = ""

  /// Determines the origin of an opened path.
  ///
  /// - Parameters:
  ///   - path: the path used for opening; a relative one is resolved in the working directory.
  ///   - program: the files' program; nil to derive it from the place.
  init(path: [UInt8], program: String?) {
    place = FilePlace.of(path)
    self.program = program ?? place.flatMap(FilePlace.program) ?? ""
  }

  /// An origin that another process of this program found.
  init(place: [UInt8]?, program: String, version: String) {
    (self.place, self.program, self.version) = (place, program, version)
  }

  /// Records the origin in a file's first part.
  func note(in part: inout FilePart) {
    if let place { part.place = Data(place) }
    part.program = program
    part.programVersion = version
  }

  /// Records the origin in a file's first part.
  func note(in part: inout SecretFilePart) {
    part.place = place
    part.program = program
    part.programVersion = version
  }
}

/// Places of files: paths that apply to any machine of the same user.
enum FilePlace {
  private static let slash = UInt8(ascii: "/")

  /// Returns the place of a path; nil if the path cannot be made absolute.
  ///
  /// Links are not resolved, because programs look for their files where their owner put them, by link or
  /// not.
  static func of(_ path: [UInt8]) -> [UInt8]? {
    guard let whole = absolute(path) else { return nil }
    for home in homes where whole.starts(with: home + [slash]) {
      return Array("~/".utf8) + whole.dropFirst(home.count + 1)
    }
    return whole
  }

  /// The user's home, from the environment and with links resolved.
  private static var homes: [[UInt8]] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return [] }
    let all = [home, CurrentProcess.absolutePath(of: home)].map { normal($0.pathBytes) }
    return all.compactMap(\.self).filter { $0.count > 1 }
  }

  private static func absolute(_ path: [UInt8]) -> [UInt8]? {
    if path.first == slash { return normal(path) }
    return CurrentProcess.folder.flatMap { normal($0.pathBytes + [slash] + path) }
  }

  /// Returns an absolute path without empty components and dots; nil if the file system would have to resolve
  /// it and cannot.
  private static func normal(_ path: [UInt8]) -> [UInt8]? {
    var parts = path.split(separator: slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
    let isUp: (ArraySlice<UInt8>) -> Bool = { $0.elementsEqual(Array("..".utf8)) }
    if let up = parts.lastIndex(where: isUp) {
      // After a link, the parent directory is not the one in the path.
      let folder = [slash] + parts[...up].joined(separator: [slash])
      let resolved = CurrentProcess.absolutePath(of: PathText.text(folder)).pathBytes.split(separator: slash)
      guard !resolved.contains(where: isUp) else { return nil }
      parts = resolved + parts[(up + 1)...]
    }
    return [slash] + parts.joined(separator: [slash])
  }

  /// Returns the program whose directory contains a place; nil if unknown.
  static func program(_ place: [UInt8]) -> String? {
    let text = String(decoding: place, as: UTF8.self)
    return WalletProgram.all.first { $0.folders.contains { text.hasPrefix("~/\($0)/") } }?.id
  }
}

extension ImportedRecords {
  /// Assigns separate ids to files that differ only in their place.
  ///
  /// - Parameter ids: the ids of everything collected or imported together.
  public mutating func nameFiles(_ ids: inout FileIDs) {
    var named: (old: Data, new: Data)?
    for index in files.indices {
      let part = files[index]
      // The place is in the first part, and the others follow.
      if part.offset == 0 {
        let new = Data(ids.id([UInt8](part.id), at: part.hasPlace ? [UInt8](part.place) : nil))
        named = (part.id, new)
      }
      if let named, named.old == part.id { files[index].id = named.new }
    }
    var secret: (old: [UInt8], new: [UInt8])?
    for index in secretFiles.indices {
      let part = secretFiles[index]
      if part.offset == 0 { secret = (part.id, ids.id(part.id, at: part.place)) }
      if let secret, secret.old == part.id { secretFiles[index].id = secret.new }
    }
    streams = streams.map { $0.named(ids.id($0.id, at: $0.origin.place)) }
  }

  /// Excludes files that another source of the same kind has already collected, and records the others.
  ///
  /// A file covered by two sources, such as a directory and a file in it, needs one record.
  mutating func leaveOutFiles(broughtIn sourced: inout SourcedRecords) {
    let before = sourced
    var own: Set<[UInt8]> = []
    func isNew(_ id: [UInt8], _ source: String, _ place: [UInt8]?) -> Bool {
      guard !before.has(file: id, source: source, place: place), own.insert(id).inserted else { return false }
      sourced.add(file: id, source: source, place: place)
      return true
    }
    // The place is in the first part, and the others follow.
    var isKept = true
    files = files.filter { part in
      guard part.offset == 0 else { return isKept }
      isKept = isNew([UInt8](part.id), part.source, part.hasPlace ? [UInt8](part.place) : nil)
      return isKept
    }
    isKept = true
    secretFiles = secretFiles.filter { part in
      guard part.offset == 0 else { return isKept }
      isKept = isNew(part.id, part.source, part.place)
      return isKept
    }
    streams = streams.filter { isNew($0.id, $0.source, $0.origin.place) }
  }
}

/// Formats file names for people.
enum FileName {
  /// Returns the name, with invalid UTF-8 and control characters as `\xNN`.
  static func text(_ name: [UInt8]) -> String {
    if let text = String(validating: name, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) {
      return text
    }
    return name.map { byte in
      0x20..<0x7F ~= byte ? String(Unicode.Scalar(byte)) : "\\x" + Hex.encode([byte])
    }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
