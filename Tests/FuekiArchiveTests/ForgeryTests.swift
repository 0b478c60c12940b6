import FuekiArchive
import FuekiCrypto
import TestSupport
import Testing

/// Forgeries by an attacker without keys, who recomputes every digest that needs none.
@Suite struct ForgeryTests {
  private static let chunkCount = 12

  /// Recomputes all digests of an archive with 12 chunks, as an attacker could.
  private func withDigests(_ bytes: [UInt8]) -> [UInt8] {
    let fieldBytes = Int(bytes[12]) | Int(bytes[13]) << 8
    let headerBytes = 48 + fieldBytes
    let head = Array(bytes[..<(16 + fieldBytes)])
    let header = head + SHA256.hash(head).bytes
    let chunks = Array(bytes[headerBytes..<headerBytes + Self.chunkCount * Limits.chunkBytes])
    var leaves: [UInt8] = []
    for chunk in 0..<Self.chunkCount {
      let start = chunk * Limits.chunkBytes
      let prefix = [0, UInt8(chunk)] + [UInt8](repeating: 0, count: 7)
      leaves += SHA256.hash(prefix, Array(chunks[start..<start + Limits.chunkBytes])).bytes
    }
    let old = Array(bytes[headerBytes + chunks.count..<headerBytes + chunks.count + 256])
    let root = SHA256.hash(Array("fueki/1 leaves".utf8), leaves).bytes
    let covered = Array(old[..<24]) + Array(header.suffix(32)) + root
    let body = covered + SHA256.hash(Array("fueki/1 archive".utf8), covered).bytes + old[120..<240]
    let check = SHA256.hash(Array("fueki/1 trailer".utf8), body).bytes[..<8]
    let trailer = body + check + Array(bytes[..<8].reversed())
    return header + chunks + trailer + leaves + header + trailer
  }

  @Test func `repairing digests changes nothing in a good archive`() throws {
    let bytes = try Vector.named("empty").bytes()
    #expect(withDigests(bytes) == bytes)
  }

  @Test func `no byte of a header can be changed unnoticed by who has a passphrase`() throws {
    let bytes = try Vector.named("empty").bytes()
    let end = 16 + Int(bytes[12]) + Int(bytes[13]) << 8
    let allowed: Set = ["too new", "over limit", "wrong secret", "forged or inconsistent"]
    // Every opening costs a key derivation. The magic and L have their own vectors.
    for offset in TestSeed.sample(Array(8..<12) + Array(stride(from: 16, to: end, by: 5)), of: 24) {
      var altered = bytes
      altered[offset] ^= 1 << UInt8(offset % 8)
      let reading = try Reading(withDigests(altered), as: .withPassphrase, to: .open)
      #expect(allowed.contains(reading.verdicts[.open] ?? "none"), "byte \(offset)")
      #expect(reading.archive == nil, "byte \(offset)")
    }
  }

  @Test(arguments: [0, 3, 5, 11]) func `no chunk can be changed unnoticed`(_ chunk: Int) throws {
    var bytes = try Vector.named("empty").bytes()
    let headerBytes = 48 + Int(bytes[12]) + Int(bytes[13]) << 8
    bytes[headerBytes + chunk * Limits.chunkBytes + 100] ^= 1
    let reading = try Reading(withDigests(bytes), as: .withPassphrase, to: .open)
    #expect(reading.intact != nil)
    #expect(reading.error == .forged(.seal(.profile)))
  }
}
