internal import FuekiArchive
internal import FuekiSystem

extension RcloneStorage {
  /// The number of files for which one rclone saves more than its start costs.
  private static let leastServed = 3
  /// The number of separate runs of rclone at a time.
  private static let separateRuns = 4

  /// Reads the structures of listed files: a few kibibytes from both ends of each, or all of a small one.
  ///
  /// - Parameters:
  ///   - items: the files to read.
  ///   - listing: all files of the folder.
  /// - Returns: those that are, or claim to be, archives, in no order.
  /// - Throws: `SystemError` if rclone says nothing for too long, and interruptions. Other errors are in the entries.
  func read(_ items: [RcloneItem], of listing: RcloneListing) throws -> [TargetEntry] {
    let server = items.count >= Self.leastServed ? try startedServer(for: items.count, of: listing) : nil
    let width = server == nil ? Self.separateRuns : RcloneServer.width
    let workers = OrderedWorkers<TargetEntry?>(width: width, window: 2 * width)
    var entries: [TargetEntry] = []
    func takeOldest() throws {
      if let entry = try workers.next() ?? nil { entries.append(entry) }
      if let stall = server?.stall { throw stall }
    }
    for item in items {
      if workers.isFull { try takeOldest() }
      workers.submit { [self] in entry(item, through: server) }
    }
    while !workers.isEmpty { try takeOldest() }
    return entries
  }

  /// Starts an rclone for so many files, which lists them if that costs less than to ask for each.
  ///
  /// - Returns: nil if this rclone lacks the server, or it ended. Separate runs report a remote's fault with its reason.
  private func startedServer(for count: Int, of listing: RcloneListing) throws(SystemError) -> RcloneServer? {
    do throws(SystemError) {
      let server = try RcloneServer(of: folder)
      if listing.sparesRequests(for: count) { try server.listFiles() }
      return server
    } catch {
      guard !error.isInterrupted, !error.isTimedOut else { throw error }
      return nil
    }
  }

  /// Judges a file by reading it; nil if it is no archive.
  private func entry(_ item: RcloneItem, through server: RcloneServer?) -> TargetEntry? {
    let path = folder.child(item)
    let file = RcloneFile(path, size: item.size, through: server)
    if server != nil, let place = copies?.reserve(UInt64(clamping: item.size)) { file.copy(to: place) }
    var entry = TargetEntry(
      name: item.name, nameBytes: [UInt8](item.name.utf8), path: path.text,
      byteCount: UInt64(clamping: item.size)
    ) { ArchiveFile(file) }
    if entry?.archive != nil { entry?.remoteFile = file }
    file.forgetUnused(endsServer: copies == nil)
    return entry
  }
}

/// Copies of a remote's small archives, in one unnamed file.
///
/// A command that reads every byte needs one read for such an archive instead of three. A copy is encrypted as the
/// archive is, and disappears with this value.
package final class RemoteCopies: Sendable {
  /// Space for one archive.
  struct Place: Sendable {
    let file: SharedFile
    let range: Range<UInt64>

    /// Writes a part of the archive.
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(SystemError) {
      try file.file.pwriteAll(bytes, at: range.lowerBound + offset)
    }
  }

  /// A file that several readers share.
  final class SharedFile: Sendable {
    let file: File
    init(_ file: consuming File) { self.file = file }
  }

  private struct Space {
    var file: SharedFile?
    var isFailed = false
    var used: UInt64 = 0
    var limit: UInt64 = 0
  }

  private let space = Locked(Space())
  private let isForAll: Bool

  /// A longer archive's two additional reads cost little.
  private static let longest: UInt64 = 1 << 20
  /// The limit for all copies together.
  private static let mostBytes: UInt64 = 1 << 29

  /// - Parameter isForAll: false if few of the listed archives are read, so that none is copied while it is listed.
  package init(isForAll: Bool = true) { self.isForAll = isForAll }

  /// The directory of temporary files.
  static func directory() throws(SystemError) -> Directory {
    try Directory.open(Environment.get("TMPDIR") ?? "/var/tmp")
  }

  /// Reserves space for an archive; nil if it is too long, or there is no space left.
  func reserve(_ byteCount: UInt64) -> Place? {
    guard isForAll, byteCount > 0, byteCount <= Self.longest else { return nil }
    return space.withLock { space -> Place? in
      if space.file == nil, !space.isFailed { Self.open(&space) }
      guard let file = space.file, space.used + byteCount <= space.limit else { return nil }
      defer { space.used += byteCount }
      return Place(file: file, range: space.used..<space.used + byteCount)
    }
  }

  private static func open(_ space: inout Space) {
    do {
      let directory = try Self.directory()
      // Other programs need space, too.
      let free = (try? directory.freeBytes()) ?? .max
      space.limit = min(mostBytes, free / 4)
      space.file = SharedFile(try directory.createUnnamedFile())
    } catch {
      space.isFailed = true
    }
  }
}
