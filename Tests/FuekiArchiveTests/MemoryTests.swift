import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Lengths in a file that would make a trusting reader allocate without bounds.
@Suite struct MemoryTests {
  private static let prefixes = [
    "index-", "header-", "frame-", "cost-", "counts-", "slots-", "records-", "newer-",
  ]

  /// Returns the process's peak memory in KiB.
  private static func peak() throws -> Int {
    let status = String(decoding: try File.open("/proc/self/status").readAll(limit: 1 << 16), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
  }

  @Test func `hostile lengths do not make a reader allocate`() async {
    // In a separate process, where no other test raises the peak.
    await #expect(processExitsWith: .success) {
      // A valid archive first: its key derivation and 16 MiB record are the most that reading needs.
      let good = try Vector.named("record-of-16-mib")
      #expect(try Reading(good.bytes(), as: good.facts.reader, to: .contents).verdicts[.contents] == "ok")
      let before = try Self.peak()
      for vector in Vector.all where vector.facts.verdict != "ok" {
        guard Self.prefixes.contains(where: vector.name.hasPrefix) else { continue }
        _ = try Reading(try vector.bytes(), as: vector.facts.reader, to: .contents)
      }
      let grown = try Self.peak() - before
      #expect(grown < 64 << 10, "the peak grew by \(grown) KiB")
    }
  }

  @Test func `a long archive is read in bounded memory`() async {
    await #expect(processExitsWith: .success) {
      // Five records per block, so that blocks have no repetitions.
      let batches = (0..<5).map { SampleSection(38, messages: [Shape.noise(200_000, seed: $0)]).batches[0] }
      let sample = try SampleArchive([SampleSection(38, batches: (0..<400).map { batches[$0 % 5] })])
      try sample.opened().checkContents()
      #expect(sample.written.byteCount > 80_000_000)
      let peak = try Self.peak()
      #expect(peak < 144 << 10, "the peak was \(peak) KiB")
    }
  }
}
