internal import FuekiSystem

/// The listings of targets in a run, each made once.
///
/// Any thread may use it. A thread waits while another one lists a target.
package final class TargetListings: Sendable {
  private let known = Locked<[ExactText: [TargetEntry]]>([:])
  private let copies: RemoteCopies?

  /// - Parameter copies: receives small archives of listed remotes; nil to read the structures only.
  package init(keeping copies: RemoteCopies? = nil) { self.copies = copies }

  /// Returns the contents of a target, which is listed unless that was done before.
  ///
  /// - Throws: the errors of ``Target/entries()``.
  package func list(_ target: Target) throws -> [TargetEntry] {
    if let entries = known.withLock({ $0[target.place] }) { return entries }
    let entries = try target.entries(keeping: copies)
    known.withLock { $0[target.place] = entries }
    return entries
  }

  /// Lists a remote and everything below it through one rclone.
  ///
  /// - Parameter folders: the remote's folders with archives.
  /// - Throws: the reason that the remote cannot be read, and `Interrupted`.
  package func list(_ folders: ArchiveFolders) throws {
    for listing in try folders.listings(past: [], keeping: copies) {
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
