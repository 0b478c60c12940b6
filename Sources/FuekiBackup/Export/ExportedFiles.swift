internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiSystem
internal import FuekiWallet

/// Puts files together from their parts, byte for byte, below `files/` of an export.
final class ExportedFiles {
  /// What makes parts those of one file.
  private struct Key: Hashable {
    let id: Data
    let source: String
    let path: Data
  }

  private struct Entry {
    /// Below `files/`, the file's own name last.
    let names: [[UInt8]]
    let total: UInt64
    var covered = CoveredRanges()
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

  private let scratch: ExportScratch
  private var entries: [Key: Entry] = [:]
  private var current: OpenFile?

  init(in scratch: ExportScratch) { self.scratch = scratch }

  /// Writes a part.
  ///
  /// - Returns: the file's path in the export; nil where the part contradicts the file's other parts or its
  ///   length, and nothing was written.
  func write(_ part: FilePart) throws -> [UInt8]? {
    let (end, overflow) = part.offset.addingReportingOverflow(UInt64(part.content.count))
    guard !overflow else { return nil }
    let key = Key(id: part.id, source: part.source, path: part.path)
    var entry = try entries[key] ?? begin(key, part)
    guard end <= entry.total, entry.covered.insert(part.offset..<end) else { return nil }
    let target = try open(key, entry)
    try target.file.pwriteAll(part.content.span, at: part.offset)
    entries[key] = entry
    return Self.path(entry)
  }

  /// Makes the files durable; gives the paths of those of which parts are missing.
  func finish() throws -> [[UInt8]] {
    try close()
    return entries.values.filter { !$0.covered.cover($0.total) }.map(Self.path).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  private static func path(_ entry: Entry) -> [UInt8] {
    Array(([folder] + entry.names).joined(separator: [UInt8(ascii: "/")]))
  }

  private func close() throws {
    try current?.file.sync()
    current = nil
  }

  private func open(_ key: Key, _ entry: Entry) throws -> OpenFile {
    if let current, current.key == key { return current }
    try close()
    var directory = try scratch.directory().openDirectory(Self.folder)
    for name in entry.names.dropLast() { directory = try directory.openDirectory(name) }
    let opened = OpenFile(key, try directory.openFileForWriting(entry.names.last ?? []))
    current = opened
    return opened
  }

  /// Finds a place for a new file, under other names where its own are taken, and makes it.
  private func begin(_ key: Key, _ part: FilePart) throws -> Entry {
    try close()
    var names = ExportPath.components(source: part.source, path: [UInt8](part.path))
    let fileName = names.removeLast()
    let top = try scratch.directory()
    if try !top.contains(Self.folder) { try top.makeDirectory(Self.folder) }
    var directory = try top.openDirectory(Self.folder)
    for index in names.indices {
      names[index] = try freeDirectoryName(names[index], in: directory)
      let inner = try directory.openDirectory(names[index])
      try directory.sync()
      directory = inner
    }
    let name = try createFile(fileName, key, in: directory)
    try directory.sync()
    let entry = Entry(names: names + [name], total: part.total)
    entries[key] = entry
    return entry
  }

  private func freeDirectoryName(_ name: [UInt8], in directory: borrowing Directory) throws -> [UInt8] {
    var candidate = name
    var number = 1
    while try directory.contains(candidate) {
      if try directory.status(of: candidate).kind == .directory { return candidate }
      number += 1
      candidate = ExportPath.alternative(name, number: number)
    }
    try directory.makeDirectory(candidate)
    return candidate
  }

  private func createFile(
    _ name: [UInt8], _ key: Key, in directory: borrowing Directory
  ) throws -> [UInt8] {
    var candidate = name
    var number = 1
    while try directory.contains(candidate) {
      number += 1
      candidate = ExportPath.alternative(name, number: number)
    }
    current = OpenFile(key, try directory.createFile(candidate))
    return candidate
  }
}
