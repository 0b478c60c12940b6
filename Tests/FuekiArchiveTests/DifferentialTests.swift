import FuekiArchive
import FuekiCrypto
import TestSupport
import Testing

/// The building blocks of differential archives.
@Suite struct DifferentialTests {
  private static func identity(_ message: [UInt8], _ section: UInt16 = 32) -> [UInt8] {
    RecordIdentity(of: message.span, in: section).bytes(in: message.span)
  }

  private static func decode(_ message: [UInt8]) -> Changes? { Changes(decoding: message.span) }

  private static func digestIdentity(_ message: [UInt8]) -> [UInt8] { [1] + SHA256.hash(message).bytes }

  @Test func `a record is known by its first field, and a receipt by its second`() {
    let message: [UInt8] = [0x0A, 2, 7, 8, 0x12, 1, 9]
    #expect(Self.identity(message) == [0, 7, 8])
    #expect(Self.identity(message, 45) == [0, 7, 8])
    #expect(Self.identity(message, 33) == [0, 9])
  }

  @Test(
    arguments: [
      [0x0A, 1, 7, 0x0A, 1, 8], [0x0A, 0, 0x0A, 1, 8], [0x18, 0x80, 0, 0x0A, 0x81, 0, 8],
      [0x8A, 0, 1, 8], [0x0D, 1, 2, 3, 4, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x08, 9, 0x0A, 1, 8],
      [0xFA, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0x0A, 1, 8],
    ] as [[UInt8]]) func `the last of several ids counts, in any spelling`(_ message: [UInt8])
  {
    #expect(Self.identity(message) == [0, 8])
  }

  @Test(
    arguments: [
      // No id, an empty one, and one of another type.
      [], [0x12, 1, 7], [0x0A, 0], [0x08, 7], [0x0A, 1, 7, 0x0A, 0], [0x0A, 1, 7, 0x08, 1],
      // The id is followed by something invalid: a group, field 0, a truncated field, or a number that is too
      // large.
      [0x0A, 1, 7, 0x1B], [0x0A, 1, 7, 0x02, 0], [0x0A, 1, 7, 0x12, 2, 1], [0x0A, 1, 7, 0x11, 1],
      [0x0A, 1, 7, 0x15, 1],
      [0x0A, 1, 7, 0x82, 0x80, 0x80, 0x80, 0x10, 0], [0x0A, 1, 7, 0x80], [0x0A, 1, 7, 0x16],
      // A varint of eleven bytes, and one of 65 bits.
      [0x0A, 1, 7, 0x10] + [UInt8](repeating: 0x80, count: 10) + [0],
      [0x0A, 1, 7, 0x10] + [UInt8](repeating: 0xFF, count: 9) + [2],
    ] as [[UInt8]]) func `a record without an id is known by its digest`(_ message: [UInt8])
  {
    #expect(Self.identity(message) == Self.digestIdentity(message))
  }

  @Test func `a reader's digest of an identity is that of its bytes`() {
    for message in [[0x0A, 2, 7, 8], [0x0A]] as [[UInt8]] {
      let digest = RecordIdentity(of: message.span, in: 32).digest(in: message.span)
      #expect(digest == SHA256.hash(Self.identity(message)))
    }
  }

  @Test func `a set digest is the sum of the records' digests`() throws {
    // Computed with Python's integers.
    var sum = SetDigest()
    let empty = sum.value(section: 32, records: 0)
    #expect(empty.hex == "94a7e8273299d2773b82a9b817bb878b884ce1abd4f8440e4b7d6e459f349b76")
    for record in [[0x61], [0x62], [0x62], [0x63]] as [[UInt8]] { sum.add(record.span, section: 32) }
    #expect(
      sum.value(section: 32, records: 4).hex
        == "807b2d262179ba7997582d3b03ecef79bc7f9aebcff291648b8a9e538f50ee92")
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `the order of records and of sums does not count`(
    _ seed: UInt64
  ) {
    var generator = random(seed)
    let records = FieldRecords.any(&generator)
    var whole = SetDigest()
    for record in records { whole.add(record.span, section: 40) }
    var parts = [SetDigest(), SetDigest(), SetDigest()]
    for record in records.shuffled(using: &generator) {
      parts[Int.random(in: 0..<3, using: &generator)].add(record.span, section: 40)
    }
    var sum = SetDigest()
    for part in parts.shuffled(using: &generator) { sum.add(part) }
    #expect(sum == whole)
    let again = records[0]
    sum.add(again.span, section: 40)
    #expect(sum != whole)
  }

  @Test func `changes come back as they were`() throws {
    let changes = Changes([
      SectionChange(section: 32, records: 0, setDigest: SHA256.hash([1])),
      SectionChange(
        section: 33, records: .max, setDigest: SHA256.hash([2]),
        removed: [[0, 1], [0, 1, 0], [0, 2], [1] + SHA256.hash([3]).bytes]),
      SectionChange(section: 61, records: 300, setDigest: SHA256.hash([4])),
    ])
    #expect(Self.decode(changes.encoded) == changes)
    #expect(Self.decode([]) == Changes([]))
  }

  /// Returns one section's entry, with parts replaced by a test.
  private static func entry(
    id: [UInt8] = [8, 32], records: [UInt8] = [16, 1],
    digest: [UInt8] = [26, 32] + [UInt8](repeating: 3, count: 32),
    rest: [UInt8] = []
  ) -> [UInt8] {
    let entry = id + records + digest + rest
    return [10, UInt8(entry.count)] + entry
  }

  @Test func `what is not known in changes is skipped`() throws {
    let known = try #require(Self.decode(Self.entry()))
    let unknown: [UInt8] = [0x28, 1, 0x32, 1, 9, 0x3D, 1, 2, 3, 4, 0x41, 1, 2, 3, 4, 5, 6, 7, 8]
    #expect(Self.decode(unknown + Self.entry(rest: unknown) + unknown) == known)
    // Varints that are not minimal.
    #expect(Self.decode(Self.entry(id: [0x88, 0, 0xA0, 0])) == known)
  }

  @Test(
    arguments: [
      entry(id: []), entry(id: [8, 31]), entry(id: [8, 62]), entry(id: [8, 32, 8, 32]),
      entry(id: [8, 0xA0, 0x80, 4]), entry(id: [10, 1, 32]), entry(records: [16, 1, 16, 1]),
      entry(records: [18, 0]), entry(digest: []), entry(digest: [26, 31] + [UInt8](repeating: 3, count: 31)),
      entry(rest: [26, 32] + [UInt8](repeating: 3, count: 32)), entry(rest: [24, 3]),
      // Invalid, duplicate and descending identities.
      entry(rest: [34, 0]), entry(rest: [34, 1, 0]), entry(rest: [34, 2, 1, 0]), entry(rest: [34, 2, 2, 0]),
      entry(rest: [34, 2, 0, 1, 34, 2, 0, 1]), entry(rest: [34, 3, 0, 1, 0, 34, 2, 0, 1]),
      entry(rest: [32, 1]),
      // Duplicate and descending sections; not a message at all.
      entry() + entry(), entry(id: [8, 33]) + entry(), [8, 1], [10, 1], [11], entry() + [0],
    ] as [[UInt8]]) func `changes of any other form are none`(_ message: [UInt8])
  {
    #expect(Self.decode(message) == nil)
  }

  @Test func `a base is of an earlier sequence, and the one before where it is that`() {
    let (digest, other) = (SHA256.hash([1]), SHA256.hash([2]))
    func allows(_ base: UInt64, _ digest: Digest, of sequence: UInt64, previous: Digest) -> Bool {
      BaseReference(digest: digest, sequence: base).canBeBase(ofSequence: sequence, previous: previous)
    }
    #expect(allows(4, digest, of: 5, previous: digest))
    #expect(allows(4, digest, of: 5, previous: .zero))
    #expect(allows(3, digest, of: 5, previous: other))
    #expect(allows(3, digest, of: 5, previous: .zero))
    #expect(!allows(4, digest, of: 5, previous: other))
    #expect(!allows(3, digest, of: 5, previous: digest))
    #expect(!allows(0, digest, of: 5, previous: other))
    #expect(!allows(5, digest, of: 5, previous: other))
    #expect(!allows(6, digest, of: 5, previous: other))
    #expect(!allows(3, .zero, of: 5, previous: other))
  }

  @Test func `the header names the base, and nothing else of the archive does`() throws {
    let base = BaseReference(digest: SHA256.hash([1]), sequence: 4)
    let archive = try SampleArchive(sequence: 9, base: base)
    #expect(try archive.stored().facts.base == base)
    #expect(try archive.stored().verify().intact != nil)
    #expect(try SampleArchive().stored().facts.base == nil)
    #expect(BaseReference(decoding: base.encoded) == base)
    #expect(BaseReference(decoding: base.encoded + [0]) == nil)
    // Its history has no changes.
    #expect(throws: ArchiveError.forged(.changes)) { _ = try archive.opened() }
  }
}
