import FuekiArchive
import FuekiCrypto
import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Seeds must not remain in memory that the reader has freed.
@Suite struct SecretMemoryTests {
  private static let mask: UInt8 = 0x5A
  /// A secret's masked bytes: a process that only reads the archive has them only in this form.
  private static let masked = Shape.noise(32, seed: 77)

  /// Whether the secret is anywhere in this process's writable memory.
  private static func isInMemory() throws -> Bool {
    let maps = String(decoding: try File.open("/proc/self/maps").readAll(limit: 1 << 24), as: UTF8.self)
    let memory = try File.open("/proc/self/mem")
    for line in maps.split(separator: "\n") where line.split(separator: " ").dropFirst().first == "rw-p" {
      let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
      var position = bounds[0]
      while position < bounds[1] {
        var bytes = [UInt8](repeating: 0, count: Int(min(bounds[1] - position, 1 << 20)))
        // Memory unmapped meanwhile by another thread cannot be read.
        guard let count = try? memory.pread(into: &bytes, at: position) else { break }
        if holdsSecret(bytes.span.extracting(0..<count)) { return true }
        guard count > masked.count else { break }
        position += UInt64(count - masked.count + 1)
      }
    }
    return false
  }

  private static func holdsSecret(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= masked.count else { return false }
    let first = masked[0] ^ mask
    for start in 0...bytes.count - masked.count where bytes[start] == first {
      if masked.indices.allSatisfy({ bytes[start + $0] == masked[$0] ^ mask }) { return true }
    }
    return false
  }

  /// Creates an archive whose secrets fill all four chunks of their stream, except for the index and some
  /// fill.
  private static func archive() throws -> SampleArchive {
    let secret = masked.map { $0 ^ mask }
    var batch = RecordBatch()
    batch.append(Array((0..<2025).map { _ in secret }.joined()))
    return try SampleArchive([SampleSection(64, messages: [[1, 2, 3]])]) { writer in
      try writer.writeSecret(section: 66) { try $0(SecretBytes(copying: batch.bytes.span)) }
    }
  }

  @Test func `no secret is left in memory where an archive, its shares and contents were read`() async throws
  {
    let sample = try Self.archive()
    let path = sample.folder.path("archive")
    // The writing process has the secrets, so a separate process reads the archive.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let stored = try StoredArchive(reading: ArchiveFile(File.open(path)))
      let intact = try #require(try stored.verify().intact)
      #expect(stored.streamBytes[2] == 4 * UInt64(Limits.chunkPlaintextBytes))
      let open = try intact.unlock(with: UnlockingSecrets(passphrases: [secret(normalising: "sample")]))
      #expect(try open.read(64).plaintext == [3, 1, 2, 3])
      try open.checkContents()
      #expect(try !Self.isInMemory())
      // The search would have found it.
      let leaked = Self.masked.map { $0 ^ Self.mask }
      #expect(try Self.isInMemory())
      withExtendedLifetime(leaked) {}
    }
    withExtendedLifetime(sample.written) {}
  }
}
