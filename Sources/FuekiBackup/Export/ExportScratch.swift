internal import FuekiCrypto
internal import FuekiSystem

/// A private directory next to an output directory.
///
/// It becomes the output, or is removed.
final class ExportScratch {
  /// The final path of the directory, as given.
  let output: String
  /// The folder that contains both.
  let parent: String
  private let name: String
  private let scratchName: String
  private var isMade = false
  /// Whether the directory got the permissions that it was made with; true until it is made.
  private(set) var keepsPermissions = true

  /// Checks whether an output directory can be created, without writing.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` unless the path is free or an empty directory.
  init(becoming output: String) throws {
    self.output = output
    var path = Substring(output)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let parts = PathParts(String(path))
    (parent, name) = (parts.folder, parts.name)
    scratchName = ".\(name).exporting-\(Hex.encode(RandomBytes.bytes(6)))"
    guard !["", ".", ".."].contains(name) else { throw PlaceError.wouldOverwrite(path: output) }
    try checkIsFree()
  }

  deinit {
    guard isMade, let folder = try? Directory.open(parent) else { return }
    try? folder.removeTree(scratchName)
  }

  /// Returns the directory, made (0700) on first use together with its missing parents.
  func directory() throws -> Directory {
    if !isMade {
      try Directory.makePrivateDirectories(parent)
      let folder = try Directory.open(parent)
      try folder.makeDirectory(scratchName)
      isMade = true
      keepsPermissions = try folder.status(of: scratchName).permissions & 0o077 == 0
    }
    return try Directory.open(parent).openDirectory(scratchName)
  }

  /// Puts the directory in place under its name, and waits until that is on the device.
  func settle() throws {
    let scratch = try directory()
    try scratch.sync()
    try checkIsFree()
    let folder = try Directory.open(parent)
    try rename(in: folder)
    isMade = false
    try folder.sync()
  }

  private func rename(in folder: borrowing Directory) throws {
    do throws(SystemError) {
      // For a directory, replacing means an empty one: the kernel refuses any other.
      try folder.rename(scratchName, to: name, replacing: true)
    } catch {
      guard error.isAlreadyThere || error.isNotFound else { throw error }
      throw PlaceError.wouldOverwrite(path: output)
    }
  }

  private func checkIsFree() throws {
    // A missing parent is made later, and an unreadable one reports its error then.
    guard let folder = try? Directory.open(parent), try folder.contains(name) else { return }
    let status = try folder.status(of: name)
    guard status.kind == .directory else { throw PlaceError.wouldOverwrite(path: output) }
    let existing = try folder.openDirectory(name)
    guard try existing.list().isEmpty else { throw PlaceError.wouldOverwrite(path: output) }
  }
}

/// A new file of an export, written from front to back.
final class ExportFile {
  private let file: File
  private var length: UInt64 = 0
  private let limit: UInt64
  private let section: String

  /// Makes the file; a section's may have only so many bytes.
  init(
    _ name: String, in directory: borrowing Directory, section: String = "", limit: UInt64 = .max
  ) throws {
    file = try directory.createFile(name)
    self.section = section
    self.limit = limit
  }

  /// Appends bytes.
  ///
  /// - Throws: ``ExportLimitError/lines(section:)``, and system errors.
  func append(_ bytes: [UInt8]) throws {
    guard length + UInt64(bytes.count) <= limit else { throw ExportLimitError.lines(section: section) }
    try file.pwriteAll(bytes, at: length)
    length += UInt64(bytes.count)
  }

  /// Waits until all of it is on the device.
  func sync() throws { try file.sync() }
}
