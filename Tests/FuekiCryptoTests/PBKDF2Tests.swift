import FuekiCrypto
import TestSupport
import Testing

struct PBKDF2Tests {
  struct Vector: Decodable, Sendable {
    let password, salt, dk: String
    let iterationCount, dkLen, tcId: Int
  }
  struct Group: Decodable { let tests: [Vector] }

  // RFC 7914 section 11.
  @Test func `the vectors of RFC 7914`() throws {
    for (password, salt, iterations, expected) in [
      (
        "passwd", "salt", 1,
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
          + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
      ),
      (
        "Password", "NaCl", 80_000,
        "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
          + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
      ),
    ] {
      let password = try SecretBytes(Array(password.utf8))
      let salt = try SecretBytes(Array(salt.utf8))
      let key = try PBKDF2.derive(from: password, salt: salt, iterations: iterations, count: 64)
      #expect(Hex.encode(key.exposed()) == expected)
    }
  }

  @Test func `numbers that the algorithm does not define are refused`() throws {
    let secret = try SecretBytes.random(count: 8)
    #expect(throws: CryptoError.derivationFailed) {
      _ = try PBKDF2.derive(from: secret, salt: secret, iterations: 0, count: 32)
    }
    #expect(throws: CryptoError.derivationFailed) {
      _ = try PBKDF2.derive(from: secret, salt: secret, iterations: 1 << 40, count: 32)
    }
    #expect(throws: CryptoError.invalidLength) {
      _ = try PBKDF2.derive(from: secret, salt: secret, iterations: 1, count: 0)
    }
  }

  @Test func `Wycheproof's vectors`() throws {
    let vectors = try Wycheproof<Group>.read("pbkdf2_hmacsha256").flatMap(\.tests)
    #expect(vectors.count > 15)
    for vector in vectors {
      let key = try PBKDF2.derive(
        from: secret(vector.password), salt: secret(vector.salt), iterations: vector.iterationCount,
        count: vector.dkLen)
      #expect(Hex.encode(key.exposed()) == vector.dk, "case \(vector.tcId)")
    }
  }
}
