internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem

/// The archives that this machine verified and found damaged.
///
/// An archive is removed when a later verification finds it intact, or when it is gone.
package struct DamagedArchives: Equatable, Sendable {
  /// An archive in a target.
  struct Key: Hashable, Sendable {
    /// The target's place.
    let place: String
    let digest: Digest
  }

  /// When each one was last found damaged, in seconds since 1970.
  private var times: [Key: Int64] = [:]

  /// Beyond this, the archives that were found first are removed.
  fileprivate static let most = 4096

  package init() {}

  /// Returns when the damaged archives of a target were last verified, by digest.
  func times(in place: String) -> [Digest: Int64] {
    var found: [Digest: Int64] = [:]
    for (key, time) in times where key.place == place { found[key.digest] = time }
    return found
  }

  mutating func insert(_ key: Key, at time: Int64) { times[key] = time }

  mutating func remove(_ keys: Set<Key>) { times = times.filter { !keys.contains($0.key) } }

  /// Removes the archives of a target that are not among those that it has.
  mutating func removeAbsent(from place: String, present: Set<Digest>) {
    times = times.filter { $0.key.place != place || present.contains($0.key.digest) }
  }

  fileprivate mutating func shorten() {
    guard times.count > Self.most else { return }
    for (key, _) in sorted.prefix(times.count - Self.most) { times[key] = nil }
  }

  private var sorted: [(key: Key, value: Int64)] {
    times.sorted { ($0.value, $0.key.place, $0.key.digest) < ($1.value, $1.key.place, $1.key.digest) }
  }
}

extension DamagedArchives {
  private struct Entry: Codable {
    let archive: String
    let target: String
    let time: Int64
  }

  /// Farther away than the time of any clock, so that differences cannot overflow.
  private static let range: Range<Int64> = -(1 << 40)..<(1 << 40)

  /// Reads the record; empty if it is damaged, since the next verification makes it again.
  fileprivate init(decoding bytes: [UInt8]) {
    let entries = (try? JSONDecoder().decode([Entry].self, from: Data(bytes))) ?? []
    for entry in entries.prefix(Self.most) where Self.range.contains(entry.time) {
      guard let digest = Digest(hex: entry.archive) else { continue }
      times[Key(place: entry.target, digest: digest)] = entry.time
    }
  }

  fileprivate func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let entries = sorted.map { Entry(archive: $0.key.digest.hex, target: $0.key.place, time: $0.value) }
    return [UInt8](try encoder.encode(entries))
  }
}

extension StateDirectory {
  private static let damaged = "damaged.json"

  /// Returns the archives that were found damaged; none if the record cannot be read.
  package func damagedArchives() -> DamagedArchives {
    let bytes = (try? read(Self.damaged)) ?? nil
    return bytes.map(DamagedArchives.init(decoding:)) ?? DamagedArchives()
  }

  /// Changes the record of damaged archives, which other runs may change, too.
  ///
  /// - Throws: ``StateError/locked(owner:)`` if it stays busy; errors from writing.
  func changeDamagedArchives(_ change: (inout DamagedArchives) -> Void) throws {
    var expected = damagedArchives()
    let before = expected
    change(&expected)
    guard expected != before else { return }
    let lock = try lockActivity()
    defer { lock.unlock() }
    var record = damagedArchives()
    change(&record)
    record.shorten()
    try write(record.encoded(), as: Self.damaged)
  }
}
