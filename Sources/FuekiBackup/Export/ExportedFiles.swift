internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Puts files together from their parts, byte for byte, below `files/` of an export.
final class ExportedFiles {
  /// Identifies the parts of one file.
  private struct Key: Hashable {
    let id: Data
    let source: String
    let path: Data
  }

  private struct Entry {
    /// Below `files/`, the file's own name last.
    let names: [[UInt8]]
    /// The original place of a file under another name than its own; nil if it keeps its name.
    let renamedFrom: [UInt8]?
    let total: UInt64
    let mode: UInt32?
    let modifiedAt: Int64?
    var parts: FileParts
  }

  /// How files are laid out.
  enum Layout {
    /// Below `files`, by the source that they came from.
    case bySource
    /// As they lay, with their time and their owner's permissions.
    case native
  }

  /// The file that the last part went into: its next one most likely does so too.
  private final class OpenFile {
    let key: Key
    let file: File

    init(_ key: Key, _ file: consuming File) {
      self.key = key
      self.file = file
    }
  }

  private static let folder = Array("files".utf8)
  private static let home = Array("~/".utf8)

  /// How long a file may become.
  var lengthLimit = ExportLimits.missingByteCount

  private let scratch: ExportScratch
  private let layout: Layout
  /// The names assigned to requested folders.
  private var folders: [[UInt8]: [UInt8]] = [:]
  /// The number behind the last file that had a name, where several want it.
  private var numbers: [[UInt8]: Int] = [:]
  private var entryCount = 0
  private var entries: [Key: Entry] = [:]
  private var current: OpenFile?

  init(in scratch: ExportScratch, layout: Layout = .bySource) {
    self.scratch = scratch
    self.layout = layout
  }

  /// Writes a part.
  ///
  /// - Returns: the file's path in the export; nil if the part contradicts the file's other parts or its length. Such a
  ///   part is not written.
  /// - Throws: ``ExportLimitError``, and system errors.
  func write(_ part: FilePart, _ content: Span<UInt8>) throws -> [UInt8]? {
    let (end, overflow) = part.offset.addingReportingOverflow(UInt64(content.count))
    guard !overflow else { return nil }
    let key = Key(id: part.id, source: part.source, path: part.path)
    var entry = try entries[key] ?? begin(key, part)
    // One owner, so that its pieces are not copied with every part.
    entries[key] = nil
    defer { entries[key] = entry }
    let outcome = entry.parts.add(
      SHA256.hash(content), count: content.count, at: part.offset, total: entry.total)
    switch outcome {
    case .contradicting: return nil
    // An archive of version 0.2.0 may have a file twice, from its source and from a restored store.
    case .repeated: return path(entry)
    case .new: break
    }
    guard end <= lengthLimit else { throw ExportLimitError.file(section: Section.files.name) }
    guard entry.parts.rangeCount <= ExportLimits.pieces else {
      throw ExportLimitError.pieces(section: Section.files.name)
    }
    let target = try open(key, entry)
    try target.file.pwriteAll(content, at: part.offset)
    return path(entry)
  }

  /// Makes the files durable; returns the paths of those with missing parts.
  func finish() throws -> [[UInt8]] {
    try close()
    if layout == .native { for entry in entries.values { try dress(entry) } }
    return entries.values.filter { !$0.parts.cover }.map(path).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  /// The files under other names than their own, sorted.
  var renamed: [RenamedFile] {
    entries.values.compactMap { entry in entry.renamedFrom.map { (from: $0, written: path(entry)) } }
      .sorted { ($0.from + [0] + $0.written).lexicographicallyPrecedes($1.from + [0] + $1.written) }
      .map { RenamedFile(path: PathText.text($0.from), written: PathText.text($0.written)) }
  }

  private func path(_ entry: Entry) -> [UInt8] {
    let names = layout == .native ? entry.names : [Self.folder] + entry.names
    return Array(names.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Restores a file's time and its owner's permissions.
  private func dress(_ entry: Entry) throws {
    var directory = try top()
    for name in entry.names.dropLast() { directory = try directory.openDirectory(name) }
    let file = try directory.openFileForWriting(entry.names.last ?? [])
    if let mode = entry.mode { try file.changePermissions(to: UInt16(mode & 0o700) | 0o400) }
    guard let time = entry.modifiedAt else { return }
    do throws(SystemError) {
      try file.setModificationTime(microseconds: time)
    } catch {
      // Some file systems have no time that can be set.
      guard error.isNotPermitted || error.isUnsupported else { throw error }
    }
  }

  /// The directory that all paths begin in.
  private func top() throws -> Directory {
    let directory = try scratch.directory()
    guard layout == .bySource else { return directory }
    if try !directory.contains(Self.folder) { try directory.makeDirectory(Self.folder) }
    return try directory.openDirectory(Self.folder)
  }

  /// The names of the folders, and last that of the file.
  private func components(of part: FilePart) -> [[UInt8]] {
    guard layout == .native else {
      return ExportPath.components(source: part.source, path: [UInt8](part.path))
    }
    let place = [UInt8](part.place)
    if place.starts(with: Self.home) {
      return ExportPath.components(source: "home", path: Array(place.dropFirst(Self.home.count)))
    }
    if place.first == UInt8(ascii: "/") { return ExportPath.components(source: "root", path: place) }
    return [Array("unplaced".utf8)] + ExportPath.components(source: part.source, path: [UInt8](part.path))
  }

  private func close() throws {
    try current?.file.sync()
    current = nil
  }

  private func open(_ key: Key, _ entry: Entry) throws -> OpenFile {
    if let current, current.key == key { return current }
    try close()
    var directory = try top()
    for name in entry.names.dropLast() { directory = try directory.openDirectory(name) }
    let opened = OpenFile(key, try directory.openFileForWriting(entry.names.last ?? []))
    current = opened
    return opened
  }

  /// Finds a place for a new file, under other names where its own are taken, and makes it.
  private func begin(_ key: Key, _ part: FilePart) throws -> Entry {
    try close()
    let ownNames = components(of: part)
    var names = ownNames
    let fileName = names.removeLast()
    let place = [UInt8](part.place.isEmpty ? part.path : part.place)
    var directory = try top()
    var path: [UInt8] = []
    for index in names.indices {
      let wanted = path + [UInt8(ascii: "/")] + names[index]
      names[index] = try folders[wanted] ?? freeDirectoryName(names[index], in: directory)
      folders[wanted] = names[index]
      path += [UInt8(ascii: "/")] + names[index]
      let inner = try directory.openDirectory(names[index])
      try directory.sync()
      directory = inner
    }
    let name = try createFile(fileName, of: place, key, in: directory, path)
    try directory.sync()
    let entry = Entry(
      names: names + [name], renamedFrom: names + [name] == ownNames ? nil : place, total: part.total,
      mode: part.hasMode ? part.mode : nil,
      modifiedAt: part.hasModifiedAt ? part.modifiedAt : nil, parts: FileParts(total: part.total))
    entries[key] = entry
    return entry
  }

  /// Makes a directory under its own name, or under a safe one if the file system refuses that.
  private func freeDirectoryName(_ name: [UInt8], in directory: borrowing Directory) throws -> [UInt8] {
    var refusal = SystemError(.invalid, call: "mkdirat", path: PathText.text(name))
    for own in [name] + PlacedName.safe(name) {
      do {
        var candidate = own
        var number = 1
        while let status = try PlaceWalk.status(of: candidate, in: directory) {
          if status.kind == .directory { return candidate }
          number += 1
          candidate = ExportPath.alternative(own, number: number)
        }
        try directory.makeDirectory(candidate)
        guard try isAsNamed(candidate, in: directory) else {
          try directory.removeDirectory(candidate)
          continue
        }
        try count()
        return candidate
      } catch let error as SystemError where error.isNameRefused {
        refusal = error
      }
    }
    throw refusal
  }

  /// Creates a file under its own name, or under a safe one if the file system refuses that.
  private func createFile(
    _ name: [UInt8], of place: [UInt8], _ key: Key, in directory: borrowing Directory, _ path: [UInt8]
  ) throws -> [UInt8] {
    var refusal = SystemError(.invalid, call: "openat", path: PathText.text(name))
    for own in [name] + PlacedName.safe(name, of: place) {
      do {
        let wanted = path + [UInt8(ascii: "/")] + own
        var number = numbers[wanted] ?? 1
        var candidate = number == 1 ? own : ExportPath.alternative(own, number: number)
        while try PlaceWalk.status(of: candidate, in: directory) != nil {
          number += 1
          candidate = ExportPath.alternative(own, number: number)
        }
        let file = try directory.createFile(candidate)
        guard try isAsNamed(candidate, in: directory) else {
          try directory.remove(candidate)
          continue
        }
        numbers[wanted] = number
        try count()
        current = OpenFile(key, file)
        return candidate
      } catch let error as SystemError where error.isNameRefused {
        refusal = error
      }
    }
    throw refusal
  }

  /// Whether the file system made an entry under exactly the name that it was given.
  ///
  /// Those that keep permissions do; listing a large directory for each of its files takes long.
  private func isAsNamed(_ name: [UInt8], in directory: borrowing Directory) throws -> Bool {
    try scratch.keepsPermissions || PlacedName.isPortable(name) || PlaceWalk.lists(name, in: directory)
  }

  private func count() throws(ExportLimitError) {
    entryCount += 1
    guard entryCount <= ExportLimits.entries else { throw .entries(section: Section.files.name) }
  }
}

/// A file's path in an export, made of an untrusted source and path.
///
/// Every component is a plain name, so that no path leaves the export. None is too long or too deep.
enum ExportPath {
  private static let maximumDepth = 32
  /// File systems take 255; the rest is for what tells equal names apart.
  private static let maximumNameByteCount = 200

  /// The names of the directories, and last that of the file.
  static func components(source: String, path: [UInt8]) -> [[UInt8]] {
    var names = path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }.map(Array.init)
    if names.count >= maximumDepth {
      let rest = names[(maximumDepth - 1)...].joined(separator: [UInt8(ascii: "_")])
      names = Array(names[..<(maximumDepth - 1)]) + [Array(rest.prefix(maximumNameByteCount))]
    }
    if names.isEmpty { names = [Array("unnamed".utf8)] }
    return [plainName(Array(source.utf8))] + names.map(plainName)
  }

  private static func plainName(_ name: [UInt8]) -> [UInt8] {
    let plain = name.prefix(maximumNameByteCount).map { byte in
      byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }
    if plain.isEmpty { return Array("unnamed".utf8) }
    // "." and ".." are no names; longer runs of dots are.
    return plain.count <= 2 && plain.allSatisfy { $0 == UInt8(ascii: ".") } ? plain.map { _ in 0x5F } : plain
  }

  /// Another name for a file or directory whose own is taken.
  static func alternative(_ name: [UInt8], number: Int) -> [UInt8] { name + Array("~\(number)".utf8) }
}

/// A file of an export under another name than its own: the file system rejects that, or another file has it.
public struct RenamedFile: Equatable, Sendable {
  /// Its original place, or its path below its source if the place is unknown, for people.
  public let path: String
  /// Its path below the export's directory, for people.
  public let written: String
}
