import Crypto
import FuekiCrypto
import TestSupport
import Testing

struct XWingTests {
  private static func seed() throws -> SecretBytes { try SecretBytes((0..<32).map { UInt8($0) }) }

  @Test func `the public key of a seed is that of an independent implementation`() throws {
    let seed = try Self.seed()
    let key = try XWing.publicKey(of: seed)
    #expect(key.count == XWing.publicKeyByteCount)
    #expect(
      FuekiCrypto.SHA256.hash(key.span).hex
        == "c9a3565ffde4f72b51661be391ee13e46378d7f06dd5c8bf5af9d2cfb5b8336b")
  }

  @Test func `the secret follows from the seed, and from no other seed`() throws {
    let seed = try Self.seed()
    let drawn = try XWing.encapsulate(to: try XWing.publicKey(of: seed))
    #expect(drawn.encapsulation.count == XWing.encapsulationByteCount)
    let opened = try XWing.decapsulate(drawn.encapsulation, with: seed)
    #expect(opened.exposed() == drawn.secret.bytes.exposed())
    let other = try XWing.decapsulate(drawn.encapsulation, with: SecretBytes.random(count: 32))
    #expect(other.exposed() != drawn.secret.bytes.exposed())
    for place in [0, 700, 1087, 1100] {
      var altered = drawn.encapsulation
      altered[place] ^= 1
      let wrong = try XWing.decapsulate(altered, with: seed)
      #expect(wrong.exposed() != drawn.secret.bytes.exposed())
    }
  }

  @Test func `an ephemeral key of small order is refused`() throws {
    let seed = try Self.seed()
    let drawn = try XWing.encapsulate(to: try XWing.publicKey(of: seed))
    for point in [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ] {
      let altered = drawn.encapsulation.prefix(1088) + (try #require(Hex.decode(point)))
      #expect(throws: CryptoError.invalidPoint) { _ = try XWing.decapsulate(Array(altered), with: seed) }
    }
  }

  @Test func `a public key that no seed has is refused`() throws {
    let key = try XWing.publicKey(of: try Self.seed())
    // The first coefficient is 12 bits: 3329 is the least that is not reduced.
    for (low, high) in [(0x01, 0x0d), (0xff, 0x0f)] as [(UInt8, UInt8)] {
      var altered = key
      altered[0] = low
      altered[1] = altered[1] & 0xf0 | high
      #expect(throws: CryptoError.invalidPoint) { _ = try XWing.encapsulate(to: altered) }
    }
    let small = key.prefix(1184) + [UInt8](repeating: 0, count: 32)
    #expect(throws: CryptoError.invalidPoint) { _ = try XWing.encapsulate(to: Array(small)) }
    for count in [0, 32, 1215] {
      #expect(throws: CryptoError.invalidKey) { _ = try XWing.encapsulate(to: Array(key.prefix(count))) }
    }
  }

  @Test(arguments: [0, 31, 33]) func `a seed has 32 bytes`(_ count: Int) throws {
    let seed = try SecretBytes(count: count)
    let encapsulation = [UInt8](repeating: 9, count: XWing.encapsulationByteCount)
    #expect(throws: CryptoError.invalidKey) { _ = try XWing.publicKey(of: seed) }
    #expect(throws: CryptoError.invalidKey) { _ = try XWing.decapsulate(encapsulation, with: seed) }
    let whole = try Self.seed()
    #expect(throws: CryptoError.invalidLength) {
      _ = try XWing.decapsulate(Array(encapsulation.dropLast()), with: whole)
    }
  }

  @Test func `a seed that is given to an X25519 scheme is another key`() throws {
    let seed = try Self.seed()
    let hybrid = try XWing.publicKey(of: seed)
    let classical = try X25519.publicKey(of: seed)
    #expect(Array(hybrid.suffix(32)) != classical)
  }

  // C2SP's vectors for age 1.3, whose stanza is HPKE's encryption of the file key.
  @Test(
    .enabled(if: Fixtures.folder("age-pq") != nil, "the fixture age-pq is not here"),
    arguments: [
      ("hybrid", true), ("hybrid_grease", true),
      ("hybrid_currupted_enc_mlkem", false), ("hybrid_currupted_enc_x25519", false),
      ("hybrid_no_match", false), ("hybrid_low_order", nil),
    ])
  func `the vectors of age`(_ name: String, _ opens: Bool?) throws {
    let vector = try AgeVector(Fixtures.file("age-pq/cctv/\(name)"))
    if opens == nil {
      #expect(throws: CryptoError.invalidPoint) { try vector.opened() }
    } else {
      #expect(try vector.opened() == opens, "\(name)")
    }
  }

  @Test(
    .enabled(if: Fixtures.folder("age-pq") != nil, "the fixture age-pq is not here"),
    .enabled(if: InstalledProgram.path("python3") != nil, "no python3 on this machine"))
  func `the vector of age with several recipients`() throws {
    // Its file is compressed, and zlib is not available here.
    let folder = try TemporaryDirectory()
    try folder.write(try Fixtures.file("age-pq/cctv/hybrid_multiple_recipients"), to: "vector")
    let unpack = """
      import sys, zlib
      head, body = open("vector", "rb").read().split(b"\\n\\n", 1)
      sys.stdout.buffer.write(head + b"\\n\\n" + zlib.decompress(body))
      """
    let python = try #require(InstalledProgram.path("python3"))
    let unpacked = try BuiltBinary.run(program: python, ["-c", unpack], cwd: folder.path)
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    let vector = try AgeVector(unpacked.output)
    #expect(vector.stanzaCount > 1)
    #expect(try vector.opened())
  }
}

/// A file of age's test kit: its stanzas, and the identity's expected result.
private struct AgeVector {
  let identity: String
  let fileKey: [UInt8]
  private let stanzas: [(encapsulation: [UInt8], body: [UInt8])]

  init(_ file: [UInt8]) throws {
    let lines = String(decoding: file, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    func value(_ key: String) throws -> String {
      let line = try #require(lines.first { $0.hasPrefix(key + ": ") })
      return String(line.dropFirst(key.count + 2))
    }
    identity = try value("identity")
    fileKey = try #require(Hex.decode(try value("file key")))
    stanzas = lines.indices.compactMap { index in
      let words = lines[index].split(separator: " ")
      guard words.count == 3, words[0] == "->", words[1] == "mlkem768x25519" else { return nil }
      return (Base64.decode(words[2]), Base64.decode(lines[index + 1]))
    }
  }

  var stanzaCount: Int { stanzas.count }

  /// Whether the identity decrypts a stanza to the vector's file key.
  func opened() throws -> Bool {
    let text = try SecretBytes(Array(identity.utf8))
    let found = try AgeKey.identities(in: text).keys
    #expect(found.map(\.form) == [.hybrid])
    #expect(!stanzas.isEmpty)
    for stanza in stanzas {
      for key in found {
        let secret = try XWing.decapsulate(stanza.encapsulation, with: key.key.bytes)
        guard let plaintext = HPKEContext(secret).open(stanza.body) else { continue }
        #expect(plaintext == fileKey)
        return true
      }
    }
    return false
  }
}

/// The base mode's key schedule (RFC 9180, section 5.1) with a KEM's secret and age's info.
private struct HPKEContext {
  private let key: SymmetricKey
  private let nonce: [UInt8]

  init(_ secret: borrowing SecretBytes) {
    let info = Array("age-encryption.org/mlkem768x25519".utf8)
    // KEM 0x647a, KDF HKDF-SHA256, AEAD ChaCha20-Poly1305.
    let suite = Array("HPKE".utf8) + [0x64, 0x7a, 0x00, 0x01, 0x00, 0x03]
    func extract(_ salt: [UInt8], _ label: String, _ ikm: [UInt8]) -> [UInt8] {
      let labelled = Array("HPKE-v1".utf8) + suite + Array(label.utf8) + ikm
      let code = Crypto.HKDF<Crypto.SHA256>.extract(
        inputKeyMaterial: SymmetricKey(data: labelled), salt: salt)
      return Array(code)
    }
    func expand(_ prk: [UInt8], _ label: String, _ info: [UInt8], _ count: Int) -> [UInt8] {
      let length = [UInt8(count >> 8), UInt8(count & 0xff)]
      let labelled = length + Array("HPKE-v1".utf8) + suite + Array(label.utf8) + info
      let key = Crypto.HKDF<Crypto.SHA256>.expand(
        pseudoRandomKey: prk, info: labelled, outputByteCount: count)
      return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
    let context = [0] + extract([], "psk_id_hash", []) + extract([], "info_hash", info)
    let prk = extract(secret.exposed(), "secret", [])
    key = SymmetricKey(data: expand(prk, "key", context, 32))
    nonce = expand(prk, "base_nonce", context, 12)
  }

  func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
      let plaintext = try? ChaChaPoly.open(box, using: key)
    else { return nil }
    return Array(plaintext)
  }
}

private enum Base64 {
  /// Without padding, as age writes it.
  static func decode(_ text: Substring) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bits, count, bytes): (UInt32, Int, [UInt8]) = (0, 0, [])
    for letter in text.utf8 {
      guard let value = letters.firstIndex(of: letter) else { continue }
      (bits, count) = (bits << 6 & 0xffff | UInt32(value), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }
}
