import FuekiCrypto
import TestSupport
import Testing

struct CryptoNightTests {
  /// Monero's own vectors for the first variant.
  ///
  /// Each ends with one of the four hashes, and together they cover all.
  private static let vectors = [
    ("de omnibus dubitandum", "2f8e3df40bd11f9ac90c743ca8e32bb391da4fb98612aa3b6cdc639ee00b31f5"),
    ("abundans cautela non nocet", "722fa8ccd594d40e4a41f3822734304c8d5eff7e1b528408e2229da38ba553c4"),
    ("caveat emptor", "bbec2cacf69866a8e740380fe7b818fc78f8571221742d729d9d02d7f8989b87"),
    ("ex nihilo nihil fit", "b1257de4efc5ce28c6b40ceb1c6c8f812a64634eb3e81c5220bee9b2b76a6f05"),
  ]

  @Test(arguments: vectors) func `the vectors of Monero`(_ text: String, _ expected: String) throws {
    let hash = try CryptoNight.hash(Array(text.utf8).span)
    #expect(Hex.encode(hash.exposed()) == expected)
  }

  @Test func `nothing, one byte, and a byte more than a block of Keccak have hashes of their own`() throws {
    let none: [UInt8] = []
    // The result in CryptoNote Standard 008 for an empty input.
    #expect(
      Hex.encode(try CryptoNight.hash(none.span).exposed())
        == "eb14e8a833fac6fe9a43b57b336789c46ffe93f2868452240720607b14387e11")
    let long = [UInt8](repeating: 7, count: 137)
    let other = [UInt8](repeating: 7, count: 136)
    #expect(try CryptoNight.hash(long.span).exposed() != CryptoNight.hash(other.span).exposed())
  }
}

/// The hashes at the end of CryptoNight, with known answers of NIST's competition: four per line for one
/// message.
struct FinalHashTests {
  @Test func `known answers over lengths around the blocks`() throws {
    let text = String(decoding: try Published.file("cryptonight-hashes.txt"), as: UTF8.self)
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 18)
    for line in lines {
      let message = line[4] == "x" ? [] : try #require(Hex.decode(line[4]))
      for (hash, expected) in zip(FinalHash.allCases, line) {
        #expect(Hex.encode(hash.hash(message.span)) == expected, "\(hash) of \(message.count) bytes")
      }
    }
  }
}

struct ChaChaStreamTests {
  private static let zeros = [UInt8](repeating: 0, count: 64)

  @Test func `key stream of zeros`() throws {
    let key = try SecretBytes(count: 32)
    let nonce = [UInt8](repeating: 0, count: 8)
    // Test vector 1 of draft-strombergson-chacha-test-vectors.
    let eight = try ChaChaStream.apply(Self.zeros.span, key: key, nonce: nonce, rounds: .eight)
    #expect(
      Hex.encode(eight.exposed())
        == "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        + "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42")
    let twenty = try ChaChaStream.apply(Self.zeros.span, key: key, nonce: nonce, rounds: .twenty)
    #expect(
      Hex.encode(twenty.exposed())
        == "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        + "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586")
  }

  @Test func `a text over several blocks comes back, and each of its beginnings is the stream's`() throws {
    let key = try SecretBytes(Array(UInt8(0)..<32))
    let nonce = Array(UInt8(1)...8)
    let text = (0..<200).map { UInt8($0) }
    let sealed = try ChaChaStream.apply(text.span, key: key, nonce: nonce, rounds: .twenty).exposed()
    #expect(try ChaChaStream.apply(sealed.span, key: key, nonce: nonce, rounds: .twenty).exposed() == text)
    for count in [0, 1, 63, 64, 65, 128, 129] {
      let part = Array(text[..<count])
      let begun = try ChaChaStream.apply(part.span, key: key, nonce: nonce, rounds: .twenty).exposed()
      #expect(begun == Array(sealed[..<count]))
    }
    #expect(throws: CryptoError.invalidLength) {
      _ = try ChaChaStream.apply(text.span, key: key, nonce: [1], rounds: .eight)
    }
    #expect(throws: CryptoError.invalidKey) {
      _ = try ChaChaStream.apply(text.span, key: try SecretBytes(count: 16), nonce: nonce, rounds: .eight)
    }
  }
}
