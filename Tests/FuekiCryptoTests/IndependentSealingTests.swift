import FuekiCrypto
import TestSupport
import Testing

/// A second implementation of XChaCha20-Poly1305, from the draft: HChaCha20 in Python, then OpenSSL's
/// ChaCha20-Poly1305.
@Suite(.enabled(if: python != nil, "no Python with cryptography on this machine"))
struct IndependentSealingTests {
  private struct Message {
    let key, nonce, data, text: [UInt8]

    static func random(_ count: Int, by generator: inout RandomSource) -> Message {
      Message(
        key: generator.bytes(32), nonce: generator.bytes(24),
        data: generator.bytes(Int.random(in: 0...40, using: &generator)), text: generator.bytes(count))
    }

    static func ofAllLengths(_ name: String = #function) -> [Message] {
      var generator = TestSeed.random(name)
      return lengths.map { random($0, by: &generator) }
    }

    func line(_ verb: String, _ text: [UInt8]) -> String {
      ([verb] + [key, nonce, data, text].map { "x" + Hex.encode($0) }).joined(separator: " ")
    }
  }

  private static let lengths = [0, 1, 15, 16, 17, 63, 64, 65, 255, 1000, 16_384, 65_536, 65_537]

  private static let construction = """
    import struct, sys
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    def hchacha20(key, nonce):
        s = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))
        def quarter(a, b, c, d):
            for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                s[x] = (s[x] + s[y]) & 0xffffffff
                s[z] ^= s[x]
                s[z] = (s[z] << turn | s[z] >> 32 - turn) & 0xffffffff
        for _ in range(10):
            for column in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)): quarter(*column)
            for diagonal in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)): quarter(*diagonal)
        return struct.pack("<8I", *s[:4], *s[12:])

    # draft-irtf-cfrg-xchacha-03, section 2.2.1
    assert hchacha20(bytes(range(32)), bytes.fromhex("000000090000004a0000000031415927")) == bytes.fromhex(
        "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc")

    for line in sys.stdin:
        verb, *fields = line.split()
        key, nonce, data, text = (bytes.fromhex(field[1:]) for field in fields)
        cipher = ChaCha20Poly1305(hchacha20(key, nonce[:16]))
        try:
            method = cipher.encrypt if verb == "seal" else cipher.decrypt
            print("x" + method(bytes(4) + nonce[16:], text, data).hex())
        except InvalidTag:
            print("not authentic")
    """

  private static func answers(_ lines: [String]) throws -> [String] {
    let program = try #require(python)
    let input = lines.joined(separator: "\n")
    let result = try BuiltBinary.run(program: program, ["-c", construction], stdin: Array(input.utf8))
    try #require(result.status == 0, "\(result.errors)")
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test func `what is sealed here opens there, and is the same to the byte`() throws {
    let messages = Message.ofAllLengths()
    let sealed = try messages.map { message in
      let key = try SecretBytes(message.key)
      return try XChaCha20Poly1305.seal(
        message.text.span, key: key, nonce: message.nonce, additionalData: message.data)
    }
    let opened = try Self.answers(zip(messages, sealed).map { $0.line("open", $1) })
    #expect(opened == messages.map { "x" + Hex.encode($0.text) })
    let made = try Self.answers(messages.map { $0.line("seal", $0.text) })
    #expect(made == sealed.map { "x" + Hex.encode($0) })
  }

  @Test func `what is sealed there opens here`() throws {
    let messages = Message.ofAllLengths()
    for (message, answer) in zip(messages, try Self.answers(messages.map { $0.line("seal", $0.text) })) {
      let sealed = try bytes(String(answer.dropFirst()))
      let key = try SecretBytes(message.key)
      let opened = try XChaCha20Poly1305.open(
        sealed.span, key: key, nonce: message.nonce, additionalData: message.data)
      #expect(opened == message.text)
    }
  }

  @Test func `both refuse the same damage`() throws {
    var generator = TestSeed.random()
    let message = Message.random(100, by: &generator)
    let key = try SecretBytes(message.key)
    let sealed = try XChaCha20Poly1305.seal(
      message.text.span, key: key, nonce: message.nonce, additionalData: message.data)
    let damaged = sealed.indices.map { place in
      var copy = sealed
      copy[place] ^= 1 << UInt8(place % 8)
      return copy
    }
    #expect(try Self.answers(damaged.map { message.line("open", $0) }).allSatisfy { $0 == "not authentic" })
    for copy in damaged {
      #expect(throws: CryptoError.notAuthentic) {
        try XChaCha20Poly1305.open(copy.span, key: key, nonce: message.nonce, additionalData: message.data)
      }
    }
  }
}

private let python = InstalledProgram.python(with: "cryptography")
