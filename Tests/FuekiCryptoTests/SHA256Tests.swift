import FuekiCrypto
import Testing

struct SHA256Tests {
  // FIPS 180-2 appendix B and NIST's example values.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `published texts have their published hashes`(text: String, hash: String) {
    let input = Array(text.utf8)
    #expect(SHA256.hash(input).hex == hash)
    #expect(SHA256.hash(input.span).hex == hash)
  }

  @Test func `a million a's hash alike in any pieces`() {
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(SHA256.hash(million).hex == expected)
    for size in [1, 63, 64, 65, 999_999] {
      var hash = SHA256()
      for start in stride(from: 0, to: million.count, by: size) {
        hash.update(million.span.extracting(start..<min(start + size, million.count)))
      }
      let digest = hash.finalize()
      #expect(digest.hex == expected, "pieces of \(size)")
    }
  }

  @Test func `pieces hash as their concatenation`() {
    let whole = SHA256.hash(Array("fueki/1 leaves".utf8) + [1, 2, 3])
    #expect(SHA256.hash(Array("fueki/1 leaves".utf8), [], [1, 2], [3]) == whole)
    let (label, labelled): ([UInt8], [UInt8]) = (Array("fueki/1 leaves".utf8), [1, 2, 3])
    #expect(SHA256.hash(label.span, labelled.span) == whole)
  }

  @Test func `a hash in pieces does not disturb another of the same thread`() {
    var first = SHA256()
    first.update([1])
    let other = SHA256.hash([2])
    first.update([3])
    let digest = first.finalize()
    #expect(digest == SHA256.hash([1, 3]))
    #expect(other == SHA256.hash([2]))
  }

  @Test func `many threads hash at once`() async {
    await withTaskGroup(of: Bool.self) { group in
      for seed in UInt8(0)..<16 {
        group.addTask {
          let input = [UInt8](repeating: seed, count: 16_384)
          let first = SHA256.hash(input)
          return (0..<200).allSatisfy { _ in SHA256.hash(input) == first }
        }
      }
      for await isStable in group { #expect(isStable) }
    }
  }
}
