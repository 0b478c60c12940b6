internal import FuekiSystem

/// The listings of targets in a run, each made once.
///
/// Any thread may use it. A thread waits while another one lists a target.
package final class TargetListings: Sendable {
  private let known = Locked<[String: [TargetEntry]]>([:])
  /// Whether a remote lists checksums without reading files, by its name.
  private let checksums = Locked<[Substring: Bool]>([:])
  private let copies: RemoteCopies?
  private let hasTags: Bool

  /// - Parameters:
  ///   - copies: receives small archives of listed remotes; nil to read the structures only.
  ///   - hasTags: whether to list the storage's tags instead.
  package init(keeping copies: RemoteCopies? = nil, hasTags: Bool = false) {
    (self.copies, self.hasTags) = (copies, hasTags)
  }

  /// The rclone that read the last remote's archives; nil without copies.
  var idleRanges: IdleRanges? { copies?.idle }

  /// Returns the use of a target's listing.
  package func use(of target: Target) -> ListingUse {
    guard hasTags else { return copies.map { .whole($0) } ?? .structures }
    return .tags(listsChecksums(target) ? .tagsWithChecksums : .tags)
  }

  private func listsChecksums(_ target: Target) -> Bool {
    guard target.kind == .rclone, let folder = try? RclonePath(target.path) else { return false }
    let remote = folder.place.prefix { $0 != ":" }
    if let known = checksums.withLock({ $0[remote] }) { return known }
    let found = RcloneStorage(folder: folder).listsChecksums
    checksums.withLock { $0[remote] = found }
    return found
  }

  /// Returns the contents of a target, which is listed unless that was done before.
  ///
  /// - Throws: the errors of ``Target/entries()``.
  package func list(_ target: Target) throws -> [TargetEntry] {
    if let entries = known.withLock({ $0[target.place] }) { return entries }
    let entries = try target.entries(for: use(of: target))
    known.withLock { $0[target.place] = entries }
    return entries
  }

  /// Lists a remote and everything below it through one rclone.
  ///
  /// - Parameter folders: the remote's folders with archives, searched for ``use(of:)``.
  /// - Throws: the reason that the remote cannot be read, and `Interrupted`.
  package func list(_ folders: ArchiveFolders) throws {
    for listing in try folders.listings(past: []) {
      let entries = try listing.entries.get()
      known.withLock { $0[listing.target.place] = entries }
    }
  }

  /// Returns the contents of a target; empty if it cannot be listed.
  func entries(of target: Target) -> [TargetEntry] {
    known.withLock { known in
      if let entries = known[target.place] { return entries }
      let entries = (try? target.entries()) ?? []
      known[target.place] = entries
      return entries
    }
  }
}
