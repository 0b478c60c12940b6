internal import FuekiSystem

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
