import FuekiArchive
import FuekiSystem
import TestSupport
import Testing

/// Column forms designed to cost a reader more than their length.
@Suite struct ColumnFormLimitTests {
  /// Creates a form with false numbers before `body`.
  private static func form(records: UInt32, shapes: UInt16, _ body: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: records >> (8 * $0)) }
      + (0..<2).map { UInt8(truncatingIfNeeded: shapes >> (8 * $0)) } + body
  }

  private static func isRefused(_ form: [UInt8], _ count: Int) -> Bool {
    (try? ColumnFormReader.decode(form.span, plaintextBytes: count)) == nil
  }

  /// Creates shape 0 and `count` others, with tags from `first` on.
  private static func shapes(_ count: Int, of tagCount: Int, from first: Int, step: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0]
    for shape in 0..<count {
      bytes += [UInt8(truncatingIfNeeded: tagCount), UInt8(truncatingIfNeeded: tagCount >> 8)]
      for tag in 0..<tagCount { bytes.append(minimal: UInt64(first + (shape * tagCount + tag) * step) << 3) }
    }
    return bytes
  }

  @Test func `numbers that no bytes bear out are refused at once`() {
    let most = 16 << 20
    for records: UInt32 in [0, 2, 1 << 24, .max] {
      for shapes: UInt16 in [0, 1, 2, 4096, 4097, .max] where records > 1 || shapes != 1 {
        #expect(Self.isRefused(Self.form(records: records, shapes: shapes, [0, 0, 0, 0]), most))
      }
    }
    // A column, a length and a payload of 2^32 - 1 and of 2^64 - 1 bytes.
    for column: [UInt8] in [
      [0xFF, 0xFF, 0xFF, 0xFF], [5, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
      [10, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 9) + [1],
    ] {
      #expect(Self.isRefused(Self.form(records: 1, shapes: 1, [0, 0, 0, 0] + column), most))
    }
    for count in [Int.min, -1, 0] {
      #expect(Self.isRefused(Self.form(records: 1, shapes: 1, [0, 0, 0, 0]), count))
    }
  }

  @Test func `hostile forms take no more memory than their bytes allow`() async {
    // In a separate process, where no other test raises the peak.
    await #expect(processExitsWith: .success) {
      let plaintext = 1 << 20
      // One column for each of as many tags as fit in a form. No record uses them.
      let columns = 250_000
      let distinct = Self.shapes(columns / 250, of: 250, from: 16, step: 1)
      let columnBytes = [UInt8](repeating: 0, count: 4 * columns)
      let raw: [UInt8] = [1, 0, 0, 0, 0]
      let forms = [
        Self.form(records: 1, shapes: UInt16(columns / 250 + 1), distinct + [0, 0] + raw + columnBytes),
        // The same few tags in the maximum number of shapes.
        Self.form(records: 1, shapes: 4096, Self.shapes(4095, of: 250, from: 1, step: 0) + [0, 0] + raw),
        // The maximum number of records, each of a shape with the maximum number of tags.
        Self.form(
          records: 500_000, shapes: 2,
          Self.shapes(1, of: 256, from: 1, step: 0)
            + (0..<500_000).flatMap { _ in [1, 0] as [UInt8] } + [UInt8](repeating: 0, count: 40_000)),
      ]
      let before = try Self.peak()
      for form in forms { _ = Self.isRefused(form, plaintext) }
      let grown = try Self.peak() - before
      // The worst of these is 64 bytes for each of a million tags.
      #expect(grown < 80 << 10, "the peak grew by \(grown) KiB")
    }
  }

  /// Returns the process's peak memory in KiB.
  private static func peak() throws -> Int {
    let status = String(decoding: try File.open("/proc/self/status").readAll(limit: 1 << 16), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
  }
}
