import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Verifications on several nights, which read what is new or due.
struct ReverificationTests {
  private static let day: Int64 = 86_400
  /// So long that no archive is due in a test.
  private static let long = 1e11
  /// Later than any file of a test.
  private static let firstNight = SystemClock.now / 1_000_000 + 2 * day

  /// A folder with archives, and the state of the machine that verifies them.
  private struct Place: ~Copyable {
    let folder: TemporaryDirectory
    let elsewhere: TemporaryDirectory

    init() throws {
      let archives = try TemporaryDirectory()
      let machine = try TemporaryDirectory()
      folder = archives
      elsewhere = machine
    }

    var state: StateDirectory { StateDirectory(path: elsewhere.path("state")) }
    var record: String { elsewhere.path("state/verified") }
  }

  private func write(_ sequence: UInt64, _ folder: borrowing TemporaryDirectory) throws {
    let slot = NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
    _ = try SampleBundle().bundle().write(
      to: ArchiveFile(folder.open().createFile("\(sequence).fueki")),
      draft: ArchiveDraft(
        vaultID: SampleBundle.vaultID, sequence: sequence, previous: .zero, created: 1_700_000_000 + sequence),
      slots: [slot], facts: ManifestFacts(program: "test", label: "test", device: "test"))
  }

  private func change(_ name: String, _ folder: borrowing TemporaryDirectory, damaging: Bool) throws {
    var bytes = try folder.read(name)
    if damaging { bytes[bytes.count / 2] ^= 1 }
    try folder.open().remove(name)
    try folder.write(bytes, to: name)
  }

  /// Verifies the folder on a night.
  private func verify(
    _ place: borrowing Place, night: Int64, demanding keys: Set<Ed25519.PublicKey>? = nil,
    change: (inout VerifyRun) -> Void = { _ in }
  ) throws -> (results: [String: VerificationResult], record: Reverification.Record) {
    try verify(place, at: Self.firstNight + night * Self.day, demanding: keys, change: change)
  }

  private func verify(
    _ place: borrowing Place, at now: Int64, demanding keys: Set<Ed25519.PublicKey>? = nil,
    change: (inout VerifyRun) -> Void = { _ in }
  ) throws -> (results: [String: VerificationResult], record: Reverification.Record) {
    var memory = Reverification(every: Self.long, depth: .checksums, state: place.state, now: now)
    let target = Target(path: place.folder.path)
    let listings = TargetListings(hasTags: true)
    let entries = try listings.list(target)
    memory.note(entries, of: target)
    let found = try VerifySubject.all(of: entries, trust: Trust(), demanded: keys, takesAnySigner: false)
    let subjects = memory.recall(found.subjects, of: entries, in: target, baseTargets: [], listings)
    var run = VerifyRun(Verification(), trust: Trust(), start: SystemClock.now) { _ in }
    change(&run)
    let results = try run.run(on: subjects)
    try memory.keep(results, of: subjects)
    #expect(results.map(\.path) == entries.map(\.path))
    let named = results.map { (String($0.path.split(separator: "/").last ?? ""), $0) }
    return (Dictionary(uniqueKeysWithValues: named), memory.found)
  }

  @Test func `an unchanged archive is not read again, and its result has the date`() throws {
    let place = try Place()
    for number: UInt64 in 1...2 { try write(number, place.folder) }
    let first = try verify(place, night: 0)
    #expect(first.record == .new && first.results.values.allSatisfy { $0.verifiedAt == nil })
    try write(3, place.folder)
    let second = try verify(place, night: 1)
    #expect(second.record == .found && second.results.values.allSatisfy { $0.verdict == .intact })
    #expect(second.results.mapValues(\.verifiedAt)["1.fueki"] == Self.firstNight)
    #expect(second.results.mapValues(\.verifiedAt)["2.fueki"] == Self.firstNight)
    #expect(second.results["3.fueki"]?.verifiedAt == nil)
    let (old, new) = (first.results["1.fueki"], second.results["1.fueki"])
    #expect(new?.digest == old?.digest && new?.facts == old?.facts && new?.authenticity == old?.authenticity)
    let third = try verify(place, night: 2)
    #expect(third.results["1.fueki"]?.verifiedAt == Self.firstNight, "an unread archive keeps its date")
    #expect(third.results["3.fueki"]?.verifiedAt == Self.firstNight + Self.day)
  }

  @Test func `a file that was written again is read`() throws {
    let place = try Place()
    for number: UInt64 in 1...2 { try write(number, place.folder) }
    _ = try verify(place, night: 0)
    try change("1.fueki", place.folder, damaging: false)
    let second = try verify(place, night: 1).results
    #expect(second["1.fueki"]?.verifiedAt == nil && second["2.fueki"]?.verifiedAt != nil)
  }

  @Test func `a damaged archive is read every night, until it is intact`() throws {
    let place = try Place()
    for number: UInt64 in 1...2 { try write(number, place.folder) }
    _ = try verify(place, night: 0)
    try change("1.fueki", place.folder, damaging: true)
    for night: Int64 in 1...2 {
      let result = try verify(place, night: night).results["1.fueki"]
      #expect(result?.verdict == .damaged && result?.verifiedAt == nil)
    }
    try change("1.fueki", place.folder, damaging: true)
    #expect(try verify(place, night: 3).results["1.fueki"]?.verdict == .intact)
    #expect(try verify(place, night: 4).results["1.fueki"]?.verifiedAt == Self.firstNight + 3 * Self.day)
  }

  @Test func `an archive that is not read is still judged`() throws {
    let place = try Place()
    for number: UInt64 in 1...2 { try write(number, place.folder) }
    _ = try verify(place, night: 0)
    let known = VaultState.Link(sequence: 3, digest: .zero)
    let older = try verify(place, night: 1) { $0.given = [SampleBundle.vaultID: known] }.results
    #expect(older["2.fueki"]?.verdict == .older && older["2.fueki"]?.verifiedAt != nil)
    // It failed, so it is read again.
    #expect(try verify(place, night: 2).results["2.fueki"]?.verifiedAt == nil)
    let unsigned = try verify(place, night: 3, demanding: []).results
    #expect(unsigned.values.allSatisfy { $0.verdict == .untrusted && $0.verifiedAt != nil })
  }

  @Test func `an archive of the last seconds, or of the future, is read again`() throws {
    let place = try Place()
    try write(1, place.folder)
    let changed = try place.folder.open().statusAndVersion(of: "1.fueki").version.changeTime.seconds
    _ = try verify(place, at: changed + 1)
    #expect(try verify(place, night: 5).results["1.fueki"]?.verifiedAt == nil)
    // The clock went back.
    #expect(try verify(place, night: 4).results["1.fueki"]?.verifiedAt == nil)
  }

  @Test func `an interrupted run records the archives that it read`() throws {
    let place = try Place()
    for number: UInt64 in 1...2 { try write(number, place.folder) }
    var memory = Reverification(
      every: Self.long, depth: .checksums, state: place.state, now: Self.firstNight)
    let target = Target(path: place.folder.path)
    let listings = TargetListings(hasTags: true)
    let entries = try listings.list(target)
    memory.note(entries, of: target)
    let found = try VerifySubject.all(of: entries, trust: Trust(), demanded: nil, takesAnySigner: false)
    var ended: [VerificationResult] = []
    let run = VerifyRun(Verification(), trust: Trust(), start: SystemClock.now) { event in
      guard case .ended(let result) = event else { return }
      guard ended.isEmpty else { throw Interrupted() }
      ended.append(result)
    }
    let subjects = memory.recall(
      found.subjects, of: entries, in: target, baseTargets: [], listings)
    #expect(throws: Interrupted.self) { try run.run(on: subjects) }
    try memory.keep(ended, of: subjects)
    let second = try verify(place, night: 1).results.values
    #expect(second.count { $0.verifiedAt == nil } == 1 && second.count == 2)
  }

  @Test func `without its record, or with a damaged one, everything is read`() throws {
    let place = try Place()
    try write(1, place.folder)
    _ = try verify(place, night: 0)
    let state = try Directory.open(place.elsewhere.path("state"))
    var bytes = try File.open(place.record).readAll(limit: 1 << 20)
    bytes[bytes.count - 40] ^= 1
    try state.remove("verified")
    try state.createFile("verified").pwriteAll(bytes, at: 0)
    let second = try verify(place, night: 1)
    #expect(second.record == .damaged && second.results["1.fueki"]?.verifiedAt == nil)
    let third = try verify(place, night: 2)
    #expect(third.record == .found && third.results["1.fueki"]?.verifiedAt == Self.firstNight + Self.day)
  }

  @Test func `the record forgets archives that are gone, and has no names`() throws {
    let place = try Place()
    for number: UInt64 in 1...3 { try write(number, place.folder) }
    _ = try verify(place, night: 0)
    func count() throws -> Int? {
      VerificationRecord(decoding: try File.open(place.record).readAll(limit: 1 << 20))?.count
    }
    #expect(try count() == 3)
    let text = String(decoding: try File.open(place.record).readAll(limit: 1 << 20), as: UTF8.self)
    #expect(!text.contains(".fueki") && !text.contains(place.folder.path))
    try place.folder.open().remove("2.fueki")
    _ = try verify(place, night: 1)
    #expect(try count() == 2)
  }
}

/// The record of verified archives, and when each one is due.
struct VerificationRecordTests {
  private static let day: Int64 = 86_400
  private static let digest = SHA256.hash([1])
  private static let salt = [UInt8](repeating: 9, count: VerificationRecord.saltBytes)

  /// Names with one file's tag.
  private func listed(_ count: Int, _ folder: borrowing TemporaryDirectory) throws -> [VerificationRecord
    .Listed]
  {
    try folder.write([1], to: "file")
    let tag = StorageTag(try folder.open().statusAndVersion(of: "file").version)
    return (0..<count).map { VerificationRecord.Listed(folder: "/folder", name: "\($0).fueki", tag: tag) }
  }

  @Test func `each archive is read once in a period, and about as many every night`() throws {
    let folder = try TemporaryDirectory()
    let all = try listed(600, folder)
    let (days, period) = (30, 30 * Self.day)
    var record = VerificationRecord(salt: Self.salt)
    var last: [Int64] = []
    for night in Int64(0)...Int64(3 * days) {
      // Nights do not begin at the same minute.
      let now = 1_800_000_000 + night * Self.day + night * 7919 % 3600
      var read = 0
      for (number, one) in all.enumerated()
      where record.current(one, Self.digest, depth: .checksums, period: period, now: now) == nil {
        if last.count > number {
          #expect(now - last[number] <= period + Self.day + 3600)
          last[number] = now
        } else {
          last.append(now)
        }
        record.insert(one, Self.digest, depth: .checksums, time: now)
        read += 1
      }
      let share = all.count / days
      if night == 0 { #expect(read == all.count) } else { #expect((share / 4...share * 3).contains(read)) }
      // Whatever is older than the period is read.
      #expect(last.allSatisfy { now - $0 < period })
    }
  }

  @Test func `another tag, digest or greater depth is due, and a lesser depth is not`() throws {
    let folder = try TemporaryDirectory()
    let one = try #require(listed(1, folder).first)
    var record = VerificationRecord(salt: Self.salt)
    let (time, period): (Int64, Int64) = (1_800_000_000, 100_000_000_000)
    func current(_ listed: VerificationRecord.Listed, _ digest: Digest, _ depth: VerificationDepth) -> Int64?
    {
      record.current(listed, digest, depth: depth, period: period, now: time + Self.day)?.time
    }
    record.insert(one, Self.digest, depth: .checksums, time: time)
    #expect(current(one, Self.digest, .checksums) == time)
    #expect(current(one, Self.digest, .contents) == nil)
    #expect(current(one, .zero, .checksums) == nil)
    try folder.write([2], to: "other")
    let other = StorageTag(try folder.open().statusAndVersion(of: "other").version)
    for tag in [other, nil] {
      let changed = VerificationRecord.Listed(folder: "/folder", name: "0.fueki", tag: tag)
      #expect(current(changed, Self.digest, .checksums) == nil)
    }
    record.insert(one, Self.digest, depth: .contents, time: time)
    #expect(current(one, Self.digest, .checksums) == time && current(one, Self.digest, .contents) == time)
    #expect(record.current(one, Self.digest, depth: .checksums, period: 0, now: time) == nil)
    #expect(record.current(one, Self.digest, depth: .checksums, period: period, now: time - 1) == nil)
  }

  @Test func `the record survives its encoding, and any changed byte is found`() throws {
    let folder = try TemporaryDirectory()
    var record = VerificationRecord(salt: Self.salt)
    for one in try listed(3, folder) { record.insert(one, Self.digest, depth: .contents, time: -5) }
    let bytes = record.encoded
    #expect(VerificationRecord(decoding: bytes) == record)
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[index] ^= 0x10
      #expect(VerificationRecord(decoding: changed) == nil, "\(index)")
    }
    for count in [0, 16, 32, 63, bytes.count - 1] {
      #expect(VerificationRecord(decoding: Array(bytes.prefix(count))) == nil)
    }
  }

  @Test func `the oldest entries are removed first`() throws {
    let folder = try TemporaryDirectory()
    let all = try listed(5, folder)
    var record = VerificationRecord(salt: Self.salt)
    for (number, one) in all.enumerated() {
      record.insert(one, Self.digest, depth: .checksums, time: Int64(number))
    }
    record.shorten(to: 2)
    let kept = all.map {
      record.current($0, Self.digest, depth: .checksums, period: 100_000_000_000, now: 10)?.time
    }
    #expect(kept == [nil, nil, nil, 3, 4])
  }
}
