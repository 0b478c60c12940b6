internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem

/// The archives that this machine verified and found damaged.
///
/// An archive is removed when a later verification of at least the same depth finds it intact, or when it is gone.
package struct DamagedArchives: Equatable, Sendable {
  /// An archive in a target.
  struct Key: Hashable, Sendable {
    /// The target's place.
    let place: ExactText
    let digest: Digest
  }

  /// How an archive was found damaged.
  struct Finding: Equatable, Sendable {
    /// When it was recorded, after the archive was read: microseconds since 1970.
    let time: Int64
    /// The greatest depth at which it was found.
    let depth: VerificationDepth
    /// Whether this machine knew the vault.
    let isOfKnownVault: Bool

    /// The time in seconds since 1970.
    var seconds: Int64 { time / 1_000_000 }
  }

  private var findings: [Key: Finding] = [:]

  /// Beyond this, the archives that were found first are removed, and those of unknown vaults before all others.
  fileprivate static let most = 4096

  package init() {}

  /// Returns the findings in a target, by the digests of its damaged archives.
  func findings(in place: ExactText) -> [Digest: Finding] {
    var found: [Digest: Finding] = [:]
    for (key, finding) in findings where key.place == place { found[key.digest] = finding }
    return found
  }

  mutating func insert(_ key: Key, _ finding: Finding) {
    let depth = findings[key]?.depth == .contents ? .contents : finding.depth
    findings[key] = Finding(time: finding.time, depth: depth, isOfKnownVault: finding.isOfKnownVault)
  }

  /// Removes an archive that a run found intact, unless it was found damaged at a greater depth.
  ///
  /// - Parameters:
  ///   - key: the archive.
  ///   - depth: the depth at which it is intact.
  ///   - run: from the start to the end of the run. A finding of another run in this time may be the later one.
  mutating func remove(_ key: Key, intactAt depth: VerificationDepth, in run: ClosedRange<Int64>) {
    guard let finding = findings[key], depth == .contents || finding.depth != .contents,
      !run.contains(finding.time)
    else { return }
    findings[key] = nil
  }

  /// Removes the archives of a target that are not among those that it had at the start of a run.
  mutating func removeAbsent(from place: ExactText, present: Set<Digest>, in run: ClosedRange<Int64>) {
    findings = findings.filter {
      $0.key.place != place || present.contains($0.key.digest) || run.contains($0.value.time)
    }
  }

  fileprivate mutating func shorten() {
    guard findings.count > Self.most else { return }
    let (unknown, known) = (sorted.filter { !$0.value.isOfKnownVault }, sorted.filter(\.value.isOfKnownVault))
    for (key, _) in (unknown + known).prefix(findings.count - Self.most) { findings[key] = nil }
  }

  private var sorted: [(key: Key, value: Finding)] {
    findings.sorted {
      ($0.value.time, $0.key.place, $0.key.digest) < ($1.value.time, $1.key.place, $1.key.digest)
    }
  }
}

extension DamagedArchives {
  private struct Entry: Codable {
    let archive: String
    let target: ExactText
    let time: Int64
    let depth: String
    let known: Bool
  }

  /// Farther away than the time of any clock, so that differences cannot overflow.
  private static let range: Range<Int64> = -(1 << 60)..<(1 << 60)

  /// Reads the record; nil if any part of it is damaged.
  fileprivate init?(decoding bytes: [UInt8]) {
    guard let entries = try? JSONDecoder().decode([Entry].self, from: Data(bytes)) else { return nil }
    for entry in entries {
      guard let digest = Digest(hex: entry.archive), let depth = VerificationDepth(rawValue: entry.depth),
        Self.range.contains(entry.time)
      else { return nil }
      findings[Key(place: entry.target, digest: digest)] = Finding(
        time: entry.time, depth: depth, isOfKnownVault: entry.known)
    }
  }

  fileprivate func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let entries = sorted.map { key, finding in
      Entry(
        archive: key.digest.hex, target: key.place, time: finding.time, depth: finding.depth.rawValue,
        known: finding.isOfKnownVault)
    }
    return [UInt8](try encoder.encode(entries))
  }
}

extension StateDirectory {
  private static let damaged = "damaged.json"

  /// Returns the archives that were found damaged.
  ///
  /// - Throws: ``StateError/damaged(path:)``, and errors from reading.
  package func damagedArchives() throws -> DamagedArchives {
    guard let bytes = try read(Self.damaged) else { return DamagedArchives() }
    guard let record = DamagedArchives(decoding: bytes) else {
      throw StateError.damaged(path: "\(path)/\(Self.damaged)")
    }
    return record
  }

  /// Changes the record of damaged archives, which other runs may change, too.
  ///
  /// - Parameters:
  ///   - mayReset: whether to make a damaged record again.
  ///   - change: changes it; called once or twice.
  /// - Returns: false if the record was damaged, so that it was made again.
  /// - Throws: ``StateError/damaged(path:)``; ``StateError/locked(owner:)`` if it stays busy; errors from reading and
  ///   writing.
  func changeDamagedArchives(mayReset: Bool, _ change: (inout DamagedArchives) -> Void) throws -> Bool {
    if let found = try undamagedRecord() {
      var expected = found
      change(&expected)
      guard expected != found else { return true }
    }
    let lock = try lockActivity()
    defer { lock.unlock() }
    let found = mayReset ? try undamagedRecord() : try damagedArchives()
    var record = found ?? DamagedArchives()
    change(&record)
    record.shorten()
    try write(record.encoded(), as: Self.damaged)
    return found != nil
  }

  private func undamagedRecord() throws -> DamagedArchives? {
    do {
      return try damagedArchives()
    } catch StateError.damaged {
      return nil
    }
  }
}
