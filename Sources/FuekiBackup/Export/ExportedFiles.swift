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

  /// How long a file may become.
  var lengthLimit = ExportLimits.missingByteCount

  private let scratch: ExportScratch
  /// Below which names the folders are that were asked for.
  private var folders: [[UInt8]: [UInt8]] = [:]
  /// The number behind the last file that had a name, where several want it.
  private var numbers: [[UInt8]: Int] = [:]
  private var entryCount = 0
  private var entries: [Key: Entry] = [:]
  private var current: OpenFile?

  init(in scratch: ExportScratch) { self.scratch = scratch }

  /// Writes a part.
  ///
  /// - Returns: the file's path in the export; nil where the part contradicts the file's other parts or its
  ///   length, and nothing was written.
  /// - Throws: ``ExportLimitError``, and what the system refuses.
  func write(_ part: FilePart) throws -> [UInt8]? {
    let (end, overflow) = part.offset.addingReportingOverflow(UInt64(part.content.count))
    guard !overflow else { return nil }
    let key = Key(id: part.id, source: part.source, path: part.path)
    var entry = try entries[key] ?? begin(key, part)
    // One owner, so that its pieces are not copied with every part.
    entries[key] = nil
    defer { entries[key] = entry }
    guard end <= entry.total, entry.covered.insert(part.offset..<end) else { return nil }
    guard end <= lengthLimit else { throw ExportLimitError.file(section: Section.files.name) }
    guard entry.covered.count <= ExportLimits.pieces else {
      throw ExportLimitError.pieces(section: Section.files.name)
    }
    let target = try open(key, entry)
    try target.file.pwriteAll(part.content.span, at: part.offset)
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
    let name = try createFile(fileName, key, in: directory, path)
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
    try count()
    try directory.makeDirectory(candidate)
    return candidate
  }

  private func createFile(
    _ name: [UInt8], _ key: Key, in directory: borrowing Directory, _ path: [UInt8]
  ) throws -> [UInt8] {
    let wanted = path + [UInt8(ascii: "/")] + name
    var number = numbers[wanted] ?? 1
    var candidate = number == 1 ? name : ExportPath.alternative(name, number: number)
    while try directory.contains(candidate) {
      number += 1
      candidate = ExportPath.alternative(name, number: number)
    }
    numbers[wanted] = number
    try count()
    current = OpenFile(key, try directory.createFile(candidate))
    return candidate
  }

  private func count() throws(ExportLimitError) {
    entryCount += 1
    guard entryCount <= ExportLimits.entries else { throw .entries(section: Section.files.name) }
  }
}
