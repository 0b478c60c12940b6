internal import FuekiCrypto
public import FuekiArchive
public import FuekiSystem

/// Records the archives that a verification found damaged, so that `status` reports them without reading them.
package struct DamageRecording {
  private let state: StateDirectory
  private let trust: Trust
  /// From the start of the verification to now, in microseconds since 1970.
  private let span: ClosedRange<Int64>
  /// The digests of the archives in each completely listed target; nil if one of its files could not be read.
  private var present: [ExactText: Set<Digest>?] = [:]
  /// The files that state a digest in a listed target, by their names.
  private var files: [DamagedArchives.Key: [ExactText: TargetEntry]] = [:]
  /// Whether the run verified a target.
  private var hasTarget = false

  /// - Parameters:
  ///   - state: has the record. Its directory is made when there is damage to record.
  ///   - trust: determines the vaults that this machine knows.
  ///   - start: when the verification started, before the targets were listed: microseconds since 1970.
  ///   - now: microseconds since 1970.
  package init(in state: StateDirectory, trust: Trust, start: Int64, now: Int64) {
    (self.state, self.trust) = (state, trust)
    span = min(start, now)...now
  }

  /// Adds the contents of a verified target.
  package mutating func add(_ entries: [TargetEntry], of target: Target) {
    hasTarget = true
    note(entries, of: target)
  }

  private mutating func note(_ entries: [TargetEntry], of target: Target) {
    let isReadable = entries.allSatisfy { $0.state != .unreadable && $0.state != .notDownloaded }
    present[target.place] = .some(
      isReadable ? Set(entries.compactMap { $0.archive?.statedDigest }) : nil)
    for entry in entries where entry.state != .removed {
      guard let digest = entry.archive?.statedDigest else { continue }
      files[DamagedArchives.Key(place: target.place, digest: digest), default: [:]][ExactText(entry.name)] =
        entry
    }
  }

  /// Adds the contents of the targets of damaged archives that were chosen one by one.
  ///
  /// - Parameters:
  ///   - results: the results of the verification.
  ///   - list: returns the contents of a target; nil if it cannot be listed.
  package mutating func addTargets(of results: [VerificationResult], list: (Target) -> [TargetEntry]?) {
    for result in results where result.isDamage {
      let target = Target(holding: result.path)
      guard present[target.place] == nil, let entries = list(target) else { continue }
      note(entries, of: target)
    }
  }

  /// Reads the files that a verification did not read, and that state the digest of an archive that it found damaged.
  ///
  /// - Parameter results: the results of the verification.
  /// - Returns: the results of these files.
  /// - Throws: `Interrupted`, and `CryptoError` if memory cannot be allocated.
  package func readCopies(of results: [VerificationResult]) throws -> [VerificationResult] {
    let damaged = Set(results.filter(\.isDamage).compactMap(Self.key))
    let copies = unread(after: results).filter { damaged.contains($0.key) }
    return try copies.values.flatMap(\.values).map { entry in
      var verification = Verification()
      (verification.symbolicLinks, verification.remoteFile) = (.refuse, entry.remoteFile)
      return try verification.run(on: entry.path, known: { _ in nil }) { _ in
        if Interruption.wasRequested { throw Interrupted() }
      }
    }
  }

  /// The files that state a digest and were not read.
  private func unread(after results: [VerificationResult]) -> [DamagedArchives.Key: [ExactText: TargetEntry]]
  {
    results.reduce(into: files) { unread, result in
      guard let key = Self.key(of: result) else { return }
      unread[key]?.removeValue(forKey: ExactText(result.path.lastPathComponent))
    }
  }

  private static func key(of result: VerificationResult) -> DamagedArchives.Key? {
    result.digest.map { DamagedArchives.Key(place: Target(holding: result.path).place, digest: $0) }
  }

  /// Records the results of a verification that read every byte of its archives.
  ///
  /// Anyone who can write to a target can plant a damaged copy there. So a digest is not damaged if the run found a file
  /// intact that states it in the same target, and of a vault that this machine knows, only the user's archives in listed
  /// targets count. Another copy that was not read suppresses nothing: it may be planted, too.
  ///
  /// - Parameters:
  ///   - results: the results, with those of ``readCopies(of:)``.
  ///   - isInterrupted: whether the run ended early. Then a digest waits for the next run if a file was not read that
  ///     states it.
  /// - Returns: false if the record was damaged, so that it was made again.
  /// - Throws: ``StateError/damaged(path:)`` if it was, and the run verified no target; ``StateError/locked(owner:)`` if the
  ///   record stays busy; errors from reading and writing.
  package func record(_ results: [VerificationResult], isInterrupted: Bool) throws -> Bool {
    var intact: Set<DamagedArchives.Key> = []
    var read: [(DamagedArchives.Key, VerificationDepth)] = []
    var damaged: [DamagedArchives.Key: DamagedArchives.Finding] = [:]
    var based: [(own: DamagedArchives.Key, base: DamagedArchives.Key, DamagedArchives.Finding)] = []
    let unread = unread(after: results)
    for result in results {
      guard let key = Self.key(of: result) else { continue }
      switch result.verdict {
      case .intact, .older, .forked, .wrongSecret, .baseMissing:
        intact.insert(key)
        read.append((key, result.intactDepth))
      case .damaged, .forged:
        guard let finding = finding(result, in: key.place) else { continue }
        if case .inBase(let base, _)? = result.error {
          based.append((key, DamagedArchives.Key(place: key.place, digest: base.digest), finding))
        } else {
          damaged[key] = finding
        }
      case .notAnArchive, .incomplete, .tooNew, .untrusted, .overLimit, .unreadable: continue
      }
    }
    return try state.changeDamagedArchives(mayReset: hasTarget) { record in
      for case (let place, let present?) in present {
        record.removeAbsent(from: place, present: present, in: span)
      }
      for (key, depth) in read { record.remove(key, intactAt: depth, in: span) }
      for (key, finding) in damaged where !intact.contains(key) {
        if !isInterrupted || unread[key]?.isEmpty ?? true { record.insert(key, finding) }
      }
      // The search for the base has tried each copy of it.
      for (own, base, finding) in based {
        record.insert(files[base] == nil || intact.contains(base) ? own : base, finding)
      }
    }
  }

  /// Returns nil if the damage does not count.
  private func finding(_ result: VerificationResult, in place: ExactText) -> DamagedArchives.Finding? {
    guard let vault = result.facts?.vaultID else { return nil }
    let isKnown = (try? trust.of(vault).isKnown) ?? true
    guard !isKnown || result.ownership == .mine && present.keys.contains(place) else { return nil }
    return DamagedArchives.Finding(time: span.upperBound, depth: result.depth, isOfKnownVault: isKnown)
  }
}

extension VerificationResult {
  fileprivate var isDamage: Bool { verdict == .damaged || verdict == .forged }

  /// The depth at which the whole archive is intact.
  ///
  /// A key may open only some scopes, or none, and a differential archive without its base has only its own bytes.
  fileprivate var intactDepth: VerificationDepth {
    depth == .contents && verdict != .wrongSecret && verdict != .baseMissing
      && openedScopes.count == ArchiveScope.allCases.count ? .contents : .checksums
  }
}

/// Reads the newest archive of a target once a day, so that damage to it is found while there is something to make a new
/// one of.
public struct DailyCheck {
  private let state: StateDirectory
  private let vault: VaultID
  private let target: Target
  private let now: Int64

  private static let day: Int64 = 86_400

  /// - Parameters:
  ///   - state: remembers verifications.
  ///   - vault: the vault's id.
  ///   - target: contains its archives.
  ///   - now: microseconds since 1970.
  public init(state: StateDirectory, vault: VaultID, target: Target, now: Int64 = SystemClock.now) {
    self.state = state
    self.vault = vault
    self.target = target
    self.now = now / 1_000_000
  }

  /// Returns whether one of an archive's files is intact, by a verification of the last day or by reading it now.
  ///
  /// It records an intact file, and removes the record of a damaged one, so that the next check reads it again.
  ///
  /// - Parameters:
  ///   - files: the archive's files in the target, all of one digest.
  ///   - progress: receives the file being read. An error that it throws ends the work.
  /// - Returns: false if every one is damaged.
  /// - Throws: the reason that a file cannot be read, and errors from `progress`.
  public func isWhole(_ files: [TargetEntry], _ progress: (String) throws -> Void) throws -> Bool {
    guard let archive = files.first?.archive else { return false }
    guard !wasChecked(archive.statedDigest) else { return true }
    for file in files where try file.verifies(progress) {
      try? state.note(
        .verify, target: target.path, vault: vault, archive: archive.statedDigest,
        sequence: archive.facts.sequence, time: now * 1_000_000)
      return true
    }
    return false
  }

  private func wasChecked(_ digest: Digest) -> Bool {
    let notes = (try? state.activity()) ?? []
    return notes.contains { note in
      note.kind == .verify && note.target == target.place && note.vault == vault.hex
        && note.archive == digest.hex && (0..<Self.day).contains(now - note.time)
    }
  }
}
