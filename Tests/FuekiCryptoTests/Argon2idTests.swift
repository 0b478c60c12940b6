import FuekiCrypto
import TestSupport
import Testing

/// Known answers of the reference program, as in
/// `printf password | argon2 saltsaltsaltsalt -id -v 13 -p 1 -k 1024 -t 3 -l 32 -r`.
///
/// RFC 9106's own vector has four lanes and a secret, which libsodium does not offer.
struct Argon2idTests {
  private static let salt = Array("saltsaltsaltsalt".utf8)

  private static func key(
    _ passphrase: String, salt: [UInt8] = salt, memoryKiB: UInt32, passes: UInt32, count: Int = 32
  ) throws -> String {
    let passphrase = try SecretBytes(Array(passphrase.utf8))
    let cost = Argon2id.Cost(memoryKiB: memoryKiB, passes: passes)
    return Hex.encode(try Argon2id.derive(from: passphrase, salt: salt, cost: cost, count: count).exposed())
  }

  @Test func `known answers at small costs`() throws {
    #expect(
      try Self.key("password", memoryKiB: 8, passes: 1)
        == "94c3e0558c1de1901090e8a96463519351f464fadb01a46e18a5c421460af6df")
    #expect(
      try Self.key("password", memoryKiB: 1024, passes: 3)
        == "d3df948acd4cfa3047c44682718347175fd1dbbdcced4b8545b7fe55cd550b99")
    #expect(
      try Self.key("ångström", memoryKiB: 4096, passes: 2)
        == "64c919a56fec81f1b7fb9a72a6d31c2772eb861c5339ca0ef7f7fbb45e1fde28")
    #expect(
      try Self.key("password", memoryKiB: 1024, passes: 3, count: 64)
        == "447f76f44faa945d545956d2653b71c5f6ce3803822e47f6e8cffdb6426f405c"
        + "a766f9422a266269db4f5b1c96d4da8b2acecca1215c39f04f577a373cb312d1")
  }

  @Test func `a known answer at the least that an archive may cost`() throws {
    let key = try Self.key(
      "correct horse battery staple", salt: Array("0123456789abcdef".utf8), memoryKiB: 65_536, passes: 2)
    #expect(key == "cdb454754c3db33d45695237b0a4316be8834f7e7221f65293fca548e4eb68ff")
  }

  @Test(.enabled(if: InstalledProgram.path("argon2") != nil, "no argon2 on this machine"))
  func `the reference program gives the same keys`() throws {
    let program = try #require(InstalledProgram.path("argon2"))
    var generator = TestSeed.random()
    for (memoryKiB, passes, count) in [(8, 1, 16), (9, 7, 32), (100, 2, 64), (1000, 3, 32), (8192, 2, 33)] {
      let salt = Hex.encode(generator.bytes(8))
      let passphrase = Hex.encode(generator.bytes(Int.random(in: 1...40, using: &generator)))
      let arguments = [salt, "-id", "-v", "13", "-p", "1", "-k", "\(memoryKiB)", "-t", "\(passes)"]
      let result = try BuiltBinary.run(
        program: program, arguments + ["-l", "\(count)", "-r"], stdin: Array(passphrase.utf8))
      let key = try Self.key(
        passphrase, salt: Array(salt.utf8), memoryKiB: UInt32(memoryKiB), passes: UInt32(passes), count: count
      )
      #expect(result.text == key + "\n")
    }
  }

  @Test func `numbers that the algorithm does not define are refused`() throws {
    #expect(throws: CryptoError.invalidLength) { try Self.key("x", salt: [1], memoryKiB: 64, passes: 1) }
    #expect(throws: CryptoError.invalidLength) { try Self.key("x", memoryKiB: 64, passes: 1, count: 15) }
    #expect(throws: CryptoError.derivationFailed) { try Self.key("x", memoryKiB: 7, passes: 1) }
    #expect(throws: CryptoError.derivationFailed) { try Self.key("x", memoryKiB: 64, passes: 0) }
  }
}
