internal import FuekiArchive
internal import FuekiSystem

/// A folder of one of rclone's remotes.
struct RcloneStorage: TargetStorage {
  let folder: RclonePath
  /// Files are only added to it.
  var isAppendOnly = false
  /// Receives small archives when they are listed; nil to read the structures only.
  var copies: RemoteCopies?

  /// The remote's abilities; nil if rclone does not know them.
  var features: RcloneFeatures? {
    let command = RcloneCommand("backend", places: ["features", folder.place], subject: folder)
    return try? command.document(RcloneFeatures.self)
  }

  func check() throws { _ = try listing() }

  func entries() throws -> [TargetEntry] { try entries(of: listing()) }

  /// Reads the ends of listed archives, several at a time.
  ///
  /// - Parameter listing: the files.
  /// - Returns: those that are, or claim to be, archives, in no order.
  /// - Throws: the reason that the remote cannot be read, and `Interrupted`. Other errors are in the entries.
  func entries(of listing: RcloneListing) throws -> [TargetEntry] {
    let items = listing.files
    let files = items.filter(Self.mayBeArchive)
    var entries = try read(files, of: listing)
    // Interrupted reads would make files look unreadable.
    guard !Interruption.wasRequested else { throw Interrupted() }
    try entries.markRemoved()
    let parity = items.filter { ParityName.isOne($0.name) }
    TargetEntry.give(
      parity.map { ParityFile(name: $0.name, byteCount: UInt64(clamping: $0.size)) }, to: &entries)
    return entries
  }

  private static func mayBeArchive(_ item: RcloneItem) -> Bool {
    !ParityName.isOne(item.name) && !ParityName.isSetAside(item.name) && !TemporaryName.isOne(item.name)
  }

  /// Lists the files of the folder.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` if the folder, or the remote, does not exist.
  func list() throws -> [RcloneItem] { try listing().files }

  private func listing() throws -> RcloneListing {
    let command = RcloneCommand("lsjson", ["--no-mimetype", "--no-modtime"], on: folder)
    let items: [RcloneItem]
    do throws(SystemError) {
      items = try command.document([RcloneItem].self)
    } catch {
      guard error.isNotFound else { throw error }
      throw TargetError.noTarget(path: folder.text)
    }
    guard try !isFile(items) else { throw TargetError.noTarget(path: folder.text) }
    return RcloneListing(
      files: items.filter { !$0.isFolder && !$0.name.contains("/") },
      hasUnlistedFolders: items.contains(where: \.isFolder))
  }

  func names() throws -> Set<ExactText> { Set(try list().map { ExactText($0.name) }) }

  /// Whether the path is a file's: rclone lists that one file then, as it does of a folder that has one of its name.
  private func isFile(_ items: [RcloneItem]) throws -> Bool {
    guard items.count == 1, let only = items.first,
      folder.text.hasSuffix("/\(only.name)") || folder.text.hasSuffix(":\(only.name)")
    else { return false }
    return try !RcloneCommand("lsjson", ["--stat"], on: folder).document(RcloneItem.self).isFolder
  }

  func removeLeftovers(of machine: String) throws {
    guard !isAppendOnly else { return }
    for item in try list() where TemporaryName.isLeftover(item.name, of: machine) {
      try delete(folder.child(item.name))
    }
  }

  func checkRoom(for byteCount: UInt64) throws {
    // Without a known free space, only writing shows it.
    guard let free = freeBytes(), free < byteCount else { return }
    throw SystemError.noSpace(path: folder.text)
  }

  func freeBytes() -> UInt64? {
    (try? RcloneCommand("about", ["--json"], on: folder).document(RcloneRoom.self))?.free
  }

  /// A folder of this machine's state: nothing goes to a remote before every byte of it was read back here.
  func workshop(_ state: LockedState, machine: String) throws -> FolderStorage {
    try .outgoing(state, machine: machine)
  }

  func deliver(
    _ archive: IntactArchive, from source: String, machine: String,
    progress: (UInt64) throws -> Void
  ) throws -> any Delivery {
    guard !isAppendOnly else {
      return RcloneAppendingDelivery(storage: self, archive: archive, source: source)
    }
    let delivery = RcloneDelivery(to: self, byteCount: archive.source.byteCount, machine: machine)
    try delivery.upload(source) { try progress(0) }
    try delivery.compareChecksums(source)
    try delivery.readBack(archive, progress: progress)
    return delivery
  }

  func open(_ entry: TargetEntry) throws -> ArchiveFile {
    ArchiveFile(try RcloneFile(folder.child(entry.name)))
  }

  func remove(
    _ entries: [TargetEntry], willRemove: (Int) throws -> Bool, removed: (Int) -> Void
  ) throws {
    guard !isAppendOnly else { throw TargetError.appendOnly(path: folder.text) }
    for (index, entry) in entries.enumerated() where try willRemove(index) {
      for file in entry.parity { try? delete(folder.child(file.name)) }
      try delete(folder.child(entry.name))
      removed(index)
    }
  }

  func delete(_ path: RclonePath) throws { _ = try RcloneCommand("deletefile", on: path).output() }

  /// Renames a file, unless the new name is taken.
  func rename(_ path: RclonePath, to new: RclonePath) throws {
    var command = RcloneCommand(
      "moveto", ["--ignore-existing"], places: [path.place, new.place], subject: new)
    // A server may copy the bytes meanwhile, and says nothing.
    command.patience = max(command.patience, 600)
    _ = try command.output()
  }
}

/// A place on one of rclone's remotes, written `rclone:remote:path`.
struct RclonePath: Hashable, Sendable {
  private static let prefix = "rclone:"

  /// As people write it.
  var text: String { exact.text }

  private let exact: ExactText

  /// As rclone takes it: `remote:path`.
  var place: String { String(text.dropFirst(Self.prefix.count)) }

  static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// Removes trailing slashes, except from a path that is only a slash.
  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.hasSuffix("/"), !text.hasSuffix(":/") { text.removeLast() }
    return String(text)
  }

  /// Takes the names of remotes that are set up, and nothing else that rclone would take in their place: settings in
  /// a command line, which everybody on the machine can read, may be secrets.
  ///
  /// - Throws: ``TargetError/malformedTarget(path:)``.
  init(_ text: String) throws(TargetError) {
    let place = text.dropFirst(Self.prefix.count)
    let isPrintable = place.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard Self.isOne(text), let colon = place.firstIndex(of: ":"), isPrintable else {
      throw .malformedTarget(path: text)
    }
    let remote = place[..<colon]
    let isName =
      remote.first.map { $0 != "-" && $0 != " " } ?? false && !remote.contains { ",/\\=".contains($0) }
    guard isName else { throw .malformedTarget(path: text) }
    exact = ExactText(Self.trimmed(text))
  }

  private init(unchecked text: String) { exact = ExactText(text) }

  /// Something in this folder.
  func child(_ name: String) -> RclonePath {
    let isRoot = text.hasSuffix(":") || text.hasSuffix("/")
    return RclonePath(unchecked: isRoot ? text + name : "\(text)/\(name)")
  }

  /// A listed file of this folder, or of one below it.
  func child(_ item: RcloneItem) -> RclonePath { child(item.below) }

  /// Returns the path below a folder; nil if this is not below it.
  func relative(to folder: RclonePath) -> String? {
    let start = folder.child("").text
    guard text.utf8.starts(with: start.utf8), text.utf8.count > start.utf8.count else { return nil }
    return String(text.utf8.dropFirst(start.utf8.count))
  }
}

extension RcloneStorage {
  /// The bytes of a trial; nothing is learnt from more.
  private static let trialBytes = [UInt8](repeating: 7, count: 4096)

  func tryOut() throws -> TargetTrial { try isAppendOnly ? tryAppending() : tryWriting() }

  private func tryWriting() throws -> TargetTrial {
    let machine = TemporaryName.trial
    try removeLeftovers(of: machine)
    let names = (TemporaryName.make(for: machine), TemporaryName.make(for: machine))
    let paths = (folder.child(names.0), folder.child(names.1))
    defer {
      try? delete(paths.0)
      try? delete(paths.1)
    }
    try Self.withScratchFile(of: Self.trialBytes) { source in
      for path in [paths.0, paths.1] {
        _ = try RcloneCommand("copyto", places: [source, path.place], subject: path).output()
        guard try RcloneCommand("cat", on: path).output(limit: 8192) == Self.trialBytes else {
          throw TargetError.readBackDiffers(path: path.text)
        }
      }
    }
    try rename(paths.0, to: paths.1)
    let keepsNames = try list().contains { $0.name == names.0 }
    return TargetTrial(of: try entries(), keepsNames: keepsNames, freeBytes: freeBytes())
  }

  /// Provides the path of a temporary local file, which is removed afterwards.
  static func withScratchFile(of bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let directory = try Directory.open(Environment.get("TMPDIR") ?? "/var/tmp")
    let name = TemporaryName.make(for: TemporaryName.trial)
    let file = try directory.createFile(name)
    defer { try? directory.remove(name) }
    try file.pwriteAll(bytes, at: 0)
    try body("\(directory.path)/\(name)")
  }
}
