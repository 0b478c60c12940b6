import FuekiCrypto
import TestSupport
import Testing

struct SecretBytesTests {
  struct Refusal: Error {}

  @Test func `a new secret is zeros and takes what is written`() throws {
    var secret = try SecretBytes(count: 5)
    #expect(secret.exposed() == [0, 0, 0, 0, 0])
    secret.withMutableBytes { bytes in bytes[4] = 7 }
    #expect(secret.exposed() == [0, 0, 0, 0, 7])
  }

  @Test func `a secret may be empty`() throws {
    let empty = try SecretBytes(count: 0)
    #expect(empty.count == 0)
    #expect(empty.exposed() == [])
    let copied = try SecretBytes([])
    let areEqual = empty.isEqualInConstantTime(to: copied)
    #expect(areEqual)
    #expect(try empty.copy(0..<0).count == 0)
    #expect(try SecretBytes.random(count: 0).count == 0)
    #expect(throws: CryptoError.invalidLength) { _ = try SecretBytes(count: -1) }
  }

  @Test func `a copy is another secret with the same bytes`() throws {
    var secret = try SecretBytes([1, 2, 3, 4])
    let part = try secret.copy(1..<3)
    secret.withMutableBytes { bytes in bytes[1] = 9 }
    #expect(part.exposed() == [2, 3])
    #expect(secret.exposed() == [1, 9, 3, 4])
    #expect(throws: CryptoError.invalidLength) { _ = try secret.copy(1..<5) }
    #expect(throws: CryptoError.invalidLength) { _ = try secret.copy(-1..<2) }
  }

  @Test func `equality looks at length and bytes`() throws {
    let secret = try SecretBytes([1, 2, 3])
    for other: [UInt8] in [[1, 2], [1, 2, 4], [1, 2, 3, 0], []] {
      let other = try SecretBytes(other)
      let areEqual = secret.isEqualInConstantTime(to: other)
      #expect(!areEqual)
    }
    let same = try SecretBytes([1, 2, 3])
    let areEqual = secret.isEqualInConstantTime(to: same) && secret.isEqualInConstantTime(to: secret)
    #expect(areEqual)
  }

  @Test(
    arguments: [
      ([1, 2], [1, 2], true), ([], [], true), ([1, 2], [1, 3], false), ([1, 2], [1], false), ([], [1], false),
    ] as [([UInt8], [UInt8], Bool)])
  func `comparison in constant time compares`(a: [UInt8], b: [UInt8], expected: Bool) {
    let areEqual = ConstantTime.areEqual(a.span, b.span)
    #expect(areEqual == expected)
  }

  @Test func `filling in place may fail and then leaves no secret`() throws {
    let filled = try SecretBytes(count: 3) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(index) }
    }
    #expect(filled.exposed() == [0, 1, 2])
    #expect(throws: Refusal.self) { _ = try SecretBytes(count: 3) { _ throws(Refusal) in throw Refusal() } }
  }

  @Test func `random secrets differ`() throws {
    let first = try SecretBytes.random(count: 32)
    let second = try SecretBytes.random(count: 32)
    let areEqual = first.isEqualInConstantTime(to: second)
    #expect(!areEqual)
  }

  @Test func `a shared secret is read by many tasks`() async throws {
    let shared = SharedSecret(try SecretBytes([1, 2, 3]))
    await withTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 { group.addTask { shared.bytes.exposed() } }
      for await bytes in group { #expect(bytes == [1, 2, 3]) }
    }
  }

  @Test func `there may be more secrets than a process may have mappings`() throws {
    let secrets = try (0..<100_000).map { number in
      SharedSecret(try SecretBytes([UInt8](repeating: UInt8(number % 251), count: 500)))
    }
    for (number, secret) in secrets.enumerated() where number % 997 == 0 {
      #expect(secret.bytes.exposed() == [UInt8](repeating: UInt8(number % 251), count: 500))
    }
  }

  @Test func `secrets keep their bytes while others come and go`() throws {
    var random = TestSeed.random()
    var secrets: [Int: (shared: SharedSecret, bytes: [UInt8])] = [:]
    for round in 0..<20_000 {
      let number = Int.random(in: 0..<400, using: &random)
      if let (shared, bytes) = secrets.removeValue(forKey: number) {
        #expect(shared.bytes.exposed() == bytes)
      }
      let count = 1 << Int.random(in: 0...12, using: &random) + Int.random(in: 0...1, using: &random)
      let zeros = SharedSecret(try SecretBytes(count: count))
      #expect(zeros.bytes.exposed().allSatisfy { $0 == 0 })
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: count)
      secrets[number] = (SharedSecret(try SecretBytes(bytes)), bytes)
    }
    for (shared, bytes) in secrets.values { #expect(shared.bytes.exposed() == bytes) }
  }

  @Test func `more than could be had is refused`() {
    #expect(throws: CryptoError.outOfMemory) { _ = try SecretBytes(count: Int.max / 2) }
  }
}
