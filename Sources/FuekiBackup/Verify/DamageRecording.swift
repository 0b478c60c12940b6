internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Records the archives that a verification found damaged, so that `status` reports them without reading them.
package struct DamageRecording {
  private let state: StateDirectory
  private let trust: Trust
  /// Seconds since 1970.
  private let now: Int64
  /// The digests of the archives in each completely listed target; nil if one of its files could not be read.
  private var present: [String: Set<Digest>?] = [:]

  /// - Parameters:
  ///   - state: has the record. Its directory is made when there is damage to record.
  ///   - trust: determines the vaults that this machine knows.
  ///   - now: seconds since 1970.
  package init(in state: StateDirectory, trust: Trust, now: Int64) {
    (self.state, self.trust, self.now) = (state, trust, now)
  }

  /// Adds the contents of a target.
  package mutating func add(_ entries: [TargetEntry], of target: Target) {
    let isReadable = entries.allSatisfy { $0.state != .unreadable && $0.state != .notDownloaded }
    present[target.place] = .some(
      isReadable ? Set(entries.compactMap { $0.archive?.statedDigest }) : nil)
  }

  /// Records the results of a verification that read every byte.
  ///
  /// Anyone who can write to a target can plant a damaged copy there. So a digest with an intact file in the same target
  /// is not damaged, and of a vault that this machine knows, only the user's archives in listed targets count.
  ///
  /// - Throws: ``StateError/locked(owner:)`` if the record stays busy; errors from writing.
  package func record(_ results: [VerificationResult]) throws {
    var intact: Set<DamagedArchives.Key> = []
    var read: Set<DamagedArchives.Key> = []
    var damaged: Set<DamagedArchives.Key> = []
    for result in results {
      guard let digest = result.digest else { continue }
      let key = DamagedArchives.Key(place: Target(holding: result.path).place, digest: digest)
      switch result.verdict {
      case .intact, .older, .forked, .wrongSecret, .baseMissing:
        intact.insert(key)
        if result.verifiedAt == nil { read.insert(key) }
      case .damaged, .forged: if counts(result, in: key.place) { damaged.insert(key) }
      case .notAnArchive, .incomplete, .tooNew, .untrusted, .overLimit, .unreadable: continue
      }
    }
    damaged.subtract(intact)
    try state.changeDamagedArchives { record in
      for case (let place, let present?) in present { record.removeAbsent(from: place, present: present) }
      record.remove(read)
      for key in damaged { record.insert(key, at: now) }
    }
  }

  private func counts(_ result: VerificationResult, in place: String) -> Bool {
    guard let vault = result.facts?.vaultID else { return false }
    let isKnown = (try? trust.of(vault).isKnown) ?? true
    return !isKnown || result.ownership == .mine && present.keys.contains(place)
  }
}
