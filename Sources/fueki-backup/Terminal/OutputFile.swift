internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A file that a command writes for the user, complete or not at all.
enum OutputFile {
  /// The handling of an existing file with the name.
  enum Existing {
    case replaced
    case kept
  }

  /// Writes the file durably, 0600 whatever the umask.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` if it exists and is to be kept, or is not a regular file.
  static func write(_ bytes: Span<UInt8>, to path: String, existing: Existing) throws {
    if existing == .kept { try checkFree(path) }
    let parts = PathParts(existing == .replaced ? try replaceable(path) : path)
    do {
      try Directory.open(parts.folder).writeWhole(bytes, as: parts.name, replacing: existing == .replaced)
    } catch let error where error.isAlreadyThere {
      throw Self.inTheWay(path)
    }
  }

  static func write(_ text: String, to path: String, existing: Existing) throws {
    let bytes = [UInt8](text.utf8)
    try write(bytes.span, to: path, existing: existing)
  }

  /// Replaces a file's text, and keeps the read permissions of others; a new file has those of `readers`.
  static func update(_ text: String, at path: String, readers new: UInt16 = 0) throws {
    let parts = PathParts(try replaceable(path))
    let folder = try Directory.open(parts.folder)
    let status = try? folder.status(of: parts.name)
    let readers = status.map { $0.kind == .file ? $0.permissions & 0o044 : 0 } ?? new
    try folder.writeWhole(Array(text.utf8), as: parts.name, permissions: 0o600 | readers, replacing: true)
  }

  /// Checks that a file can get this path, before the work whose result it is for.
  ///
  /// - Throws: the reason that its folder cannot be opened, and exit status 40 if something else than a file is there.
  static func checkReplaceable(_ path: String) throws {
    _ = try Directory.open(folder(of: replaceable(path)))
  }

  /// Returns the path of the file itself, if the given one is a link's.
  private static func replaceable(_ path: String) throws -> String {
    var path = path
    var parts = PathParts(path)
    if let status = try? Directory.open(parts.folder).status(of: parts.name), status.kind == .symbolicLink {
      path = CurrentProcess.absolutePath(of: path)
      parts = PathParts(path)
    }
    guard let status = try? Directory.open(parts.folder).status(of: parts.name), status.kind != .file else {
      return path
    }
    throw Failure(
      .wouldOverwrite, "\(path) is not a regular file", meaning: "nothing was changed",
      hint: "choose another name")
  }

  /// - Throws: Exit status 40 where something is there.
  static func checkFree(_ path: String) throws {
    let parts = PathParts(path)
    guard let directory = try? Directory.open(parts.folder) else { return }
    if try directory.contains(parts.name) { throw Self.inTheWay(path) }
  }

  /// Returns the folder of a path's last part.
  static func folder(of path: String) -> String { PathParts(path).folder }

  private static func inTheWay(_ path: String) -> any Error {
    Failure(
      .wouldOverwrite, "\(path) already exists", meaning: "nothing was changed",
      hint: "choose another name, or move it away")
  }
}

/// A new file with a secret in it, which only its owner can read.
enum NewPrivateFile {
  /// Writes the file, as a whole or not at all.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` where something of that name is there.
  static func write(_ secret: borrowing SecretBytes, to path: String) throws {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? ""
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
    do {
      try secret.withBytes { bytes in try Directory.open(parent).writeWhole(bytes, as: name, replacing: false)
      }
    } catch let error as SystemError where error.isAlreadyThere {
      throw PlaceError.wouldOverwrite(path: path)
    }
  }
}

/// A text with a secret in it, put together in memory that is wiped.
struct SecretText: ~Copyable {
  private var bytes: SecretBytes
  private var end = 0

  /// Room for so many bytes; more is a fault of the caller.
  init(capacity: Int) throws(CryptoError) { bytes = try SecretBytes(count: capacity) }

  /// Appends text that is not secret.
  mutating func append(_ text: String) {
    let text = Array(text.utf8)
    append(text.span)
  }

  /// Adds a secret, or a part of one.
  mutating func append(_ part: Span<UInt8>) {
    precondition(end + part.count <= bytes.count, "the text is longer than stated")
    let start = end
    bytes.withMutableBytes { $0.write(part, at: start) }
    end += part.count
  }

  /// The text.
  consuming func finish() throws(CryptoError) -> SecretBytes { try bytes.copy(0..<end) }
}
