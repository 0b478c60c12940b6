/// The contents of a target, or the reason that they cannot be listed.
package struct TargetListing: Sendable {
  package let target: Target
  package let entries: Result<[TargetEntry], any Error>

  package init(_ target: Target, entries: Result<[TargetEntry], any Error>) {
    self.target = target
    self.entries = entries
  }

  /// Lists a target.
  ///
  /// A folder without archives may be where the disk of the archives is not mounted.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - past: this machine's past activities.
  package init(of target: Target, past: [Activity]) {
    let entries = Result {
      let entries = try target.entries()
      if !entries.contains(where: { $0.archive != nil }) { try target.checkMount(past) }
      return entries
    }
    self.init(target, entries: entries)
  }

  /// The entries; empty if they cannot be listed.
  package var readable: [TargetEntry] { (try? entries.get()) ?? [] }
}
