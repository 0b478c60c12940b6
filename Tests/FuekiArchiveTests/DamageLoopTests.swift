import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Damages every part of a small archive, and searches for it without a key.
///
/// Chunks and tables are altered at every 97th byte, or at every byte with FUEKI_FULL=1.
@Suite struct DamageLoopTests {
  /// The offsets of the parts of an archive with 12 chunks.
  private struct Parts {
    let headerBytes: Int
    let length: Int
    var trailer: Int { headerBytes + 12 * Limits.chunkBytes }
    var leaves: Int { trailer + 256 }
    var headerCopy: Int { leaves + 12 * 32 }
    var trailerCopy: Int { headerCopy + headerBytes }

    init(_ bytes: [UInt8]) {
      headerBytes = 48 + Int(bytes[12]) + Int(bytes[13]) << 8
      length = bytes.count
    }

    var boundaries: [Int] {
      [0, 16, headerBytes - 32, headerBytes, trailer, leaves, headerCopy, trailerCopy, length]
    }

    /// Returns the only acceptable damage for an altered byte at `offset`.
    func damage(at offset: Int) -> String {
      switch offset {
      case ..<headerBytes: return "first header"
      case ..<trailer:
        let chunk = (offset - headerBytes) / Limits.chunkBytes
        return "chunk \(["profile", "history", "secrets"][chunk / 4]) \(chunk % 4)"
      case ..<leaves: return "first trailer"
      case ..<headerCopy:
        let chunk = (offset - leaves) / 32
        return "leaf \(["profile", "history", "secrets"][chunk / 4]) \(chunk % 4)"
      case ..<trailerCopy: return "header copy"
      default: return "trailer copy"
      }
    }
  }

  @Test func `every altered byte is found and named`() throws {
    let bytes = try Vector.named("empty").bytes()
    let parts = Parts(bytes)
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "archive")
    let writable = try folder.open().openFileForWriting("archive")
    let file = ArchiveFile(try File.open(folder.path("archive")))
    for offset in bytes.indices {
      let isInChunks = (parts.headerBytes..<parts.trailer).contains(offset)
      guard TestSeed.isFull || !isInChunks || offset.isMultiple(of: 97) else { continue }
      try writable.pwriteAll([bytes[offset] ^ 1 << UInt8(offset % 8)], at: UInt64(offset))
      let report = try StoredArchive(reading: file).verify()
      let expected = parts.damage(at: offset)
      #expect(report.damage.map(\.vectorName) == [expected], "byte \(offset)")
      let isCopy = expected.hasSuffix("header") || expected.hasSuffix("trailer") || expected.hasSuffix("copy")
      #expect((report.intact != nil) == isCopy, "byte \(offset)")
      try writable.pwriteAll([bytes[offset]], at: UInt64(offset))
    }
    #expect(try StoredArchive(reading: file).verify().damage.isEmpty)
  }

  @Test func `an archive cut anywhere is incomplete`() throws {
    let bytes = try Vector.named("empty").bytes()
    let boundaries = Parts(bytes).boundaries
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "archive")
    let writable = try folder.open().openFileForWriting("archive")
    let file = ArchiveFile(try File.open(folder.path("archive")))
    for length in bytes.indices.reversed() {
      let isNearBoundary = boundaries.contains { abs($0 - length) < 300 }
      guard TestSeed.isFull || isNearBoundary || length.isMultiple(of: 97) else { continue }
      try writable.truncate(to: UInt64(length))
      #expect(throws: ArchiveError.incomplete, "cut at \(length)") { _ = try StoredArchive(reading: file) }
    }
  }

  @Test func `any number of bytes behind an archive is found`() throws {
    let bytes = try Vector.named("empty").bytes()
    var generator = random(21)
    for count in Array(1...40) + [255, 256, 257, 511, 512, 513, 16_400, 16_432, 32_864, bytes.count] {
      let behind = count == bytes.count ? bytes : generator.bytes(count)
      let reading = try Reading(bytes + behind, as: .keyless, to: .checksums)
      #expect(reading.verdicts[.checksums] == "damaged", "\(count) bytes")
      #expect(reading.intact == nil, "\(count) bytes")
    }
  }

  @Test func `an archive damaged in many ways at once is never taken for whole`() throws {
    let bytes = try Vector.named("empty").bytes()
    let boundaries = Parts(bytes).boundaries.dropLast()
    let allowed: Set = ["damaged", "incomplete", "not an archive", "over limit", "too new"]
    var generator = random(22)
    for round in 0..<(TestSeed.isFull ? 20_000 : 1000) {
      var altered = bytes
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let near = boundaries.randomElement(using: &generator) ?? 0
        let place = min(near + Int.random(in: 0..<280, using: &generator), altered.count - 1)
        let count = min(Int.random(in: 1...40, using: &generator), altered.count - place)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: altered.replaceSubrange(place..<place + count, with: generator.bytes(count))
        case 1: altered.replaceSubrange(place..<place + count, with: repeatElement(0, count: count))
        case 2: altered.removeSubrange(place..<place + count)
        default: altered.insert(contentsOf: generator.bytes(count), at: place)
        }
      }
      guard altered != bytes else { continue }
      let reading = try Reading(altered, as: .keyless, to: .checksums)
      #expect(allowed.contains(reading.verdicts[.checksums] ?? "none"), "round \(round)")
    }
  }
}

extension VectorFile.Reader {
  /// A reader without any secret.
  static var keyless: Self {
    Self(
      passphrases: nil, keyFile: nil, identities: nil, guardiansKey: nil, trustedSigners: nil, known: nil,
      largeDerivation: nil, plaintextLimit: nil)
  }

  /// A reader with the passphrase of most vectors.
  static var withPassphrase: Self {
    Self(
      passphrases: ["correct horse battery staple"], keyFile: nil, identities: nil, guardiansKey: nil,
      trustedSigners: nil, known: nil, largeDerivation: nil, plaintextLimit: nil)
  }
}
