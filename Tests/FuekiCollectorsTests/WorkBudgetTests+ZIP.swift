import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// ZIP files whose entries demand more than the file has.
extension WorkBudgetTests {
  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  /// Returns a ZIP file whose entries all have the first one's position.
  private func overlapping(_ count: Int) -> [UInt8] {
    let content = [UInt8](repeating: 0, count: 1000)
    let sum = number(Int(checksum(content)), 4)
    let name = Array("MOBILE_0".utf8)
    let sizes = number(content.count, 4) + number(content.count, 4)
    var local = number(0x0403_4B50, 4)
    for part in [number(20, 2), number(0, 8), sum, sizes, number(name.count, 2), number(0, 2)] {
      local += part
    }
    local += name
    local += content
    var entry = number(0x0201_4B50, 4)
    for part in [number(20, 2), number(20, 2), number(0, 8), sum, sizes, number(name.count, 2)] {
      entry += part
    }
    entry += number(0, 16)
    entry += name
    let directory = [[UInt8]](repeating: entry, count: count).flatMap(\.self)
    var end = number(0x0605_4B50, 4)
    for part in [number(0, 4), number(count, 2), number(count, 2), number(directory.count, 4)] { end += part }
    end += number(local.count, 4)
    end += number(0, 2)
    return local + directory + end
  }

  @Test func `entries of a ZIP file that overlap are refused before any is decoded`() throws {
    let work = WorkBudget()
    let one = overlapping(1)
    let archive = try ZIPArchive(one.span)
    let content = try ZIPArchive.content(of: archive.entries[0], in: one.span, limit: 1000, work: work)
    #expect(content.count == 1000 && work.spent(on: .bytesProduced) == 1000)
    let two = overlapping(2)
    #expect(throws: ZIPError.overlapping) { try ZIPArchive(two.span) }
    let folder = try TemporaryDirectory()
    let many = overlapping(300)
    try folder.write(many, to: "kit.zip")
    let (records, spent) = try read("fireblocks", folder.path("kit.zip"))
    #expect(records.findings.map(\.result) == [.faulty(.malformed)] && records.files.count == 1)
    #expect(spent.spent(on: .bytesProduced) == 0)
  }

  @Test func `a length that a ZIP entry's method cannot produce is damage, and costs nothing`() throws {
    var file = overlapping(1)
    let directory = try #require(
      file.indices.dropLast(46).first { Array(file[$0..<$0 + 4]) == number(0x0201_4B50, 4) })
    file.replaceSubrange(directory + 24..<directory + 28, with: number(1 << 20, 4))
    let archive = try ZIPArchive(file.span)
    let work = WorkBudget()
    #expect(throws: ZIPError.damaged) {
      _ = try ZIPArchive.content(of: archive.entries[0], in: file.span, limit: 2 << 20, work: work)
    }
    #expect(work.spent(on: .bytesProduced) == 0)
  }
}
