import FoundationEssentials
import FuekiCrypto
import TestSupport
import Testing

/// Interoperability in both directions with the reference program, PyPI's `shamir-mnemonic`.
@Suite(.enabled(if: python != nil, "no Python with shamir_mnemonic on this machine"))
struct SLIP39InteropTests {
  private struct Made: Decodable {
    let secret, passphrase: String
    let groups: [[String]]
    let used: [String]
  }

  private static func run(_ script: String, _ input: String = "") throws -> String {
    let program = try #require(python)
    let result = try BuiltBinary.run(program: program, ["-c", script], stdin: Array(input.utf8))
    try #require(result.status == 0, "\(result.errors)")
    return result.text
  }

  @Test func `what the reference splits is combined here`() throws {
    let script = """
      import json, random, shamir_mnemonic.shamir
      from shamir_mnemonic import generate_mnemonics
      random.seed(\(TestSeed.value))
      shamir_mnemonic.shamir.RANDOM_BYTES = random.randbytes
      made = []
      for threshold, groups, extendable, exponent in [
          (1, [(1, 1)], False, 0), (1, [(2, 3)], False, 1), (1, [(5, 7)], True, 2), (1, [(16, 16)], True, 0),
          (2, [(2, 3), (1, 1), (3, 5)], True, 0), (3, [(2, 2), (3, 4), (1, 1), (4, 6)], False, 1)]:
        for length in (16, 32):
          secret = random.randbytes(length)
          phrase = random.choice(["", "TREZOR", "a b~"])
          shares = generate_mnemonics(threshold, groups, secret, phrase.encode(), extendable, exponent)
          used = []
          for place in random.sample(range(len(groups)), threshold):
            used += random.sample(shares[place], groups[place][0])
          made.append({"secret": secret.hex(), "passphrase": phrase, "groups": shares, "used": used})
      print(json.dumps(made))
      """
    let made = try JSONDecoder().decode([Made].self, from: Data(Self.run(script).utf8))
    #expect(made.count == 12)
    for made in made {
      let passphrase = try SecretBytes(Array(made.passphrase.utf8))
      let shares = try made.used.map(share)
      let secret = try SLIP39.combine(shares, passphrase: passphrase)
      #expect(Hex.encode(secret.exposed()) == made.secret)
      #expect(try made.groups.joined().allSatisfy { try text(share($0)) == $0 })
    }
  }

  @Test func `what is split here the reference combines`() throws {
    var generator = TestSeed.random()
    var lines: [String] = []
    var secrets: [String] = []
    for (threshold, count) in [(1, 1), (2, 2), (2, 3), (3, 5), (7, 16), (16, 16)] {
      for byteCount in [16, 32, 64] {
        let secret = try SecretBytes(generator.bytes(byteCount))
        let identifier = UInt16.random(in: 0..<1 << 15, using: &generator)
        let shares = try SLIP39.split(secret, threshold: threshold, count: count, identifier: identifier)
        lines.append(
          try shares.shuffled(using: &generator).prefix(threshold).map(text).joined(separator: ","))
        secrets.append(Hex.encode(secret.exposed()))
      }
    }
    let script = """
      import sys
      from shamir_mnemonic import combine_mnemonics
      for line in sys.stdin:
        print(combine_mnemonics(line.strip().split(",")).hex())
      """
    let combined = try Self.run(script, lines.joined(separator: "\n"))
    #expect(combined.split(separator: "\n").map(String.init) == secrets)
  }
}

private let python = InstalledProgram.python(with: "shamir_mnemonic")
