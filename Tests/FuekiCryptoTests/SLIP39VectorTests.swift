import FoundationEssentials
import FuekiCrypto
import TestSupport
import Testing

/// One of the standard's vectors: description, shares, and the secret if there is one.
struct SLIP39Vector: Decodable, Sendable, CustomTestStringConvertible {
  let testDescription: String
  let shares: [String]
  let secret: String

  init(from decoder: any Decoder) throws {
    var members = try decoder.unkeyedContainer()
    testDescription = try members.decode(String.self)
    shares = try members.decode([String].self)
    secret = try members.decode(String.self)
  }

  static let all: [SLIP39Vector] = {
    guard let text = try? Published.file("slip39.json") else { return [] }
    return (try? JSONDecoder().decode([SLIP39Vector].self, from: Data(text))) ?? []
  }()

  /// The number at the start of the description.
  var number: Int { testDescription.split(separator: ".").first.flatMap { Int($0) } ?? 0 }

  /// The expected errors of the vectors without a secret.
  static let reasons: [Int: SLIP39Error] = [
    2: .checksum, 3: .padding, 5: .tooFew(have: 1, need: 2), 6: .otherSet(share: 1), 7: .otherSet(share: 1),
    8: .otherSet(share: 2), 9: .otherSet(share: 1), 10: .parameters, 11: .duplicateMember(share: 1),
    12: .otherSet(share: 1), 13: .digest, 14: .tooFewGroups(have: 1, need: 2),
    15: .tooFewGroups(have: 1, need: 2),
    16: .tooFew(have: 1, need: 2), 21: .checksum, 22: .padding, 24: .tooFew(have: 1, need: 2),
    25: .otherSet(share: 1), 26: .otherSet(share: 1), 27: .otherSet(share: 2), 28: .otherSet(share: 1),
    29: .parameters, 30: .duplicateMember(share: 1), 31: .otherSet(share: 1), 32: .digest,
    33: .tooFewGroups(have: 1, need: 2), 34: .tooFewGroups(have: 1, need: 2), 35: .tooFew(have: 1, need: 2),
    39: .wordCount(19), 40: .wordCount(21),
  ]
}

func share(_ words: String) throws -> SLIP39Share {
  let words = try SecretBytes(Array(words.utf8))
  return try SLIP39Share(words: words)
}

func text(_ share: SLIP39Share) throws -> String {
  let words = try share.words()
  return String(decoding: words.bytes.exposed(), as: UTF8.self)
}

struct SLIP39VectorTests {
  @Test(arguments: SLIP39Vector.all)
  func `the standard's vectors give their secret or their reason`(vector: SLIP39Vector) throws {
    let passphrase = try SecretBytes(Array("TREZOR".utf8))
    if vector.secret.isEmpty {
      let reason = try #require(SLIP39Vector.reasons[vector.number])
      #expect(throws: reason) {
        _ = try SLIP39.combine(vector.shares.map(share), passphrase: passphrase)
      }
    } else {
      let shares = try vector.shares.map(share)
      let secret = try SLIP39.combine(shares, passphrase: passphrase)
      #expect(Hex.encode(secret.exposed()) == vector.secret)
      #expect(try shares.map(text) == vector.shares)
      let reversed = try SLIP39.combine(shares.reversed(), passphrase: passphrase)
      #expect(Hex.encode(reversed.exposed()) == vector.secret)
    }
  }

  @Test func `there are 45 of them`() {
    #expect(SLIP39Vector.all.count == 45)
    #expect(SLIP39Vector.all.count { $0.secret.isEmpty } == SLIP39Vector.reasons.count)
  }
}
