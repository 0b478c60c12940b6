import FuekiArchive
import FuekiSystem
import Glibc
import Synchronization
import TestSupport
import Testing

/// Files that start like an archive but have no trailer at their end.
@Suite struct TrailerSearchTests {
  /// An archive's first bytes, then zeros up to the maximum length.
  private final class LongSource: ArchiveSource {
    private let start: [UInt8]
    private let counted = Mutex((reads: 0, bytes: 0))
    private let stopsAfter: Int?

    init(_ start: [UInt8], stopsAfter: Int? = nil) {
      self.start = start
      self.stopsAfter = stopsAfter
    }

    var reads: (reads: Int, bytes: Int) { counted.withLock { $0 } }

    func byteCount() -> UInt64 { 1 << 40 }

    func read(_ count: Int, at offset: UInt64) -> [UInt8] {
      let reads = counted.withLock { counted in
        counted = (counted.reads + 1, counted.bytes + count)
        return counted.reads
      }
      if reads == stopsAfter { Interruption.request() }
      var bytes = [UInt8](repeating: 0, count: count)
      for place in 0..<count where offset + UInt64(place) < UInt64(start.count) {
        bytes[place] = start[Int(offset) + place]
      }
      return bytes
    }

    func gather(progress: (UInt64) throws -> Void) {}
  }

  private static func start() throws -> [UInt8] { Array(try Vector.named("empty").bytes().prefix(100_000)) }

  private func damage(of file: ArchiveFile, _ search: TrailerSearch) throws -> [ArchiveError.Damage] {
    try StoredArchive(reading: file, search: search).structuralDamage
  }

  @Test func `what lists archives reads little of a file that only begins as one`() throws {
    let source = LongSource(try Self.start())
    #expect(throws: ArchiveError.incomplete) {
      _ = try StoredArchive(reading: ArchiveFile(source), search: .nearTheEnd)
    }
    #expect(source.reads.reads < 12 && source.reads.bytes < 2 << 20, "\(source.reads)")
  }

  @Test func `a search ends where a stop is asked for`() async {
    // In a separate process, because an interruption affects the whole process.
    await #expect(processExitsWith: .success) {
      let source = LongSource(try Self.start(), stopsAfter: 1000)
      do throws(ArchiveError) {
        _ = try StoredArchive(reading: ArchiveFile(source))
        exit(1)
      } catch {
        guard case .unreadable(let reason) = error, reason.isInterrupted else { exit(2) }
        guard source.reads.reads < 2000 else { exit(3) }
      }
    }
  }

  @Test func `holes are passed over, and the archive before them is found`() throws {
    let folder = try TemporaryDirectory()
    let bytes = try Vector.named("empty").bytes()
    try folder.write(bytes, to: "archive")
    let directory = try folder.open()
    do {
      try directory.openFileForWriting("archive").truncate(to: 1 << 40)
    } catch {
      // Some file systems do not support files of that length.
      return
    }
    let file = try directory.openFile("archive")
    guard file.storedPart() != .all else { return }
    #expect(!file.mayHoldData(in: 1 << 39..<1 << 40) && file.mayHoldData(in: 0..<1 << 40))
    let behind = UInt64(1 << 40) - UInt64(bytes.count)
    #expect(try damage(of: ArchiveFile(file), .wholeFile) == [.trailingBytes(count: behind)])
  }

  @Test(arguments: [1, 16_432, 1_000_000, 3_000_000])
  func `bytes behind an archive are named, and few of them are by a short look, too`(_ count: Int) throws {
    let folder = try TemporaryDirectory()
    let noise = Shape.noise(count, seed: 3)
    try folder.write(try Vector.named("everything").bytes() + noise, to: "archive")
    let found = [ArchiveError.Damage.trailingBytes(count: UInt64(count))]
    let open = { ArchiveFile(try folder.open().openFile("archive")) }
    #expect(try damage(of: try open(), .wholeFile) == found)
    guard count > 1 << 20 else {
      #expect(try damage(of: try open(), .nearTheEnd) == found)
      return
    }
    #expect(throws: ArchiveError.incomplete) { _ = try damage(of: try open(), .nearTheEnd) }
  }
}
