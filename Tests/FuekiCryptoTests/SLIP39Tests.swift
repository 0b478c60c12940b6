import FuekiCrypto
import TestSupport
import Testing

struct SLIP39Tests {
  private static func none() throws -> SecretBytes { try SecretBytes([]) }

  // Created by the reference program: two of three, without a passphrase.
  private static let secretOfReference = "00112233445566778899aabbccddeeff"
  private static let sharesOfReference = [
    "shaft dream academic acid axle memory easy surface entrance glasses laden acquire purple blanket being luxury "
      + "script medical toxic meaning",
    "shaft dream academic agency diagnose idle satoshi nail should burning junior lecture exact voting identify "
      + "alive pleasure river sunlight golden",
    "shaft dream academic always burning gums elegant testify marathon modify bumpy quantity always shrimp result "
      + "devote nervous junk venture calcium",
  ]

  @Test func `shares of the reference program give its secret, in any pair`() throws {
    let shares = try Self.sharesOfReference.map(share)
    #expect(shares.map(\.memberIndex) == [0, 1, 2])
    #expect(
      shares.allSatisfy { $0.memberThreshold == 2 && $0.groupCount == 1 && !$0.value.bytes.exposed().isEmpty }
    )
    for pair in [[0, 1], [2, 0], [1, 2], [2, 1, 0]] {
      let secret = try SLIP39.combine(pair.map { shares[$0] }, passphrase: Self.none())
      #expect(Hex.encode(secret.exposed()) == Self.secretOfReference)
    }
  }

  @Test func `one wrong word is found by its place, with the word that belongs there`() throws {
    let words = Self.sharesOfReference[0].split(separator: " ").map(String.init)
    for place in [0, 2, 7, words.count - 1] {
      var mistaken = words
      mistaken[place] = words[place] == "academic" ? "acid" : "academic"
      let text = try SecretBytes(Array(mistaken.joined(separator: " ").utf8))
      let wrong = try #require(try WrongWord.find(in: text))
      #expect(wrong.place == place + 1 && wrong.word == words[place])
      #expect(try wrong.corrected(text).bytes.exposed() == Array(words.joined(separator: " ").utf8))
    }
    #expect(try WrongWord.find(in: SecretBytes(Array(words.joined(separator: " ").utf8))) == nil)
    var two = words
    (two[5], two[9]) = ("academic", "acid")
    let found = try WrongWord.find(in: SecretBytes(Array(two.joined(separator: " ").utf8)))
    #expect(found == nil)
  }

  @Test func `any threshold of any count gives the secret, and one fewer says how many are missing`() throws {
    var generator = TestSeed.random()
    for (threshold, count) in [(1, 1), (2, 2), (2, 3), (3, 5), (5, 5), (4, 16), (16, 16)] {
      let secret = try SecretBytes.random(count: 32)
      let shares = try SLIP39.split(secret, threshold: threshold, count: count, identifier: 0x5a5a)
      #expect(shares.map(\.memberIndex) == Array(0..<count))
      let some = Array(shares.shuffled(using: &generator).prefix(threshold))
      let combined = try SLIP39.combine(some, passphrase: Self.none())
      #expect(combined.exposed() == secret.exposed())
      let all = try SLIP39.combine(shares, passphrase: Self.none())
      #expect(all.exposed() == secret.exposed())
      if threshold == 1 { continue }
      #expect(throws: SLIP39Error.tooFew(have: threshold - 1, need: threshold)) {
        _ = try SLIP39.combine(Array(some.dropLast()), passphrase: Self.none())
      }
    }
    #expect(throws: SLIP39Error.tooFew(have: 0, need: 1)) {
      _ = try SLIP39.combine([], passphrase: Self.none())
    }
  }

  @Test(arguments: [16, 18, 20, 24, 32, 48, 64])
  func `a share of any length comes back from its words`(byteCount: Int) throws {
    let secret = try SecretBytes.random(count: byteCount)
    for share in try SLIP39.split(secret, threshold: 3, count: 4, identifier: 0x7fff) {
      let words = try share.words()
      let read = try SLIP39Share(words: words.bytes)
      #expect(read.identifier == 0x7fff && !read.isExtendable && read.iterationExponent == 1)
      #expect((read.groupIndex, read.groupThreshold, read.groupCount) == (0, 1, 1))
      #expect((read.memberIndex, read.memberThreshold) == (share.memberIndex, 3))
      #expect(read.value.bytes.exposed() == share.value.bytes.exposed())
      #expect(try text(read) == text(share))
    }
  }

  @Test func `case and white space do not matter`() throws {
    let words = Self.sharesOfReference[0]
    let spaced = "\n\t " + words.uppercased().split(separator: " ").joined(separator: "\r\n  ") + "\n"
    #expect(try text(share(spaced)) == words)
  }

  @Test func `a word that is none is named by its place`() throws {
    let words = Self.sharesOfReference[0].split(separator: " ").map(String.init)
    for place in words.indices {
      for wrong in ["bitcoin", "acide", "academicacademic", "aci", "1", "\u{e9}t\u{e9}"] {
        var list = words
        list[place] = wrong
        #expect(throws: SLIP39Error.unknownWord(place: place + 1)) { try share(list.joined(separator: " ")) }
      }
    }
  }

  @Test func `a missing, doubled, swapped or other word is noticed`() throws {
    let words = Self.sharesOfReference[0].split(separator: " ").map(String.init)
    #expect(throws: SLIP39Error.wordCount(19)) { try share(words.dropLast().joined(separator: " ")) }
    #expect(throws: SLIP39Error.wordCount(21)) { try share((words + ["acid"]).joined(separator: " ")) }
    #expect(throws: SLIP39Error.wordCount(0)) { try share(" ") }
    #expect(throws: SLIP39Error.wordCount(2000)) {
      try share([String](repeating: "acid", count: 2000).joined(separator: " "))
    }
    for place in words.indices {
      var list = words
      list[place] = list[place] == "acid" ? "always" : "acid"
      #expect(throws: SLIP39Error.checksum) { try share(list.joined(separator: " ")) }
      guard place > 0, words[place] != words[place - 1] else { continue }
      list = words
      list.swapAt(place, place - 1)
      #expect(throws: SLIP39Error.checksum) { try share(list.joined(separator: " ")) }
    }
  }

  @Test func `the one of another set is found among the others, wherever it stands`() throws {
    let secret = try SecretBytes.random(count: 32)
    let ours = try SLIP39.split(secret, threshold: 3, count: 4, identifier: 1)
    let theirs = try SLIP39.split(secret, threshold: 3, count: 4, identifier: 2)
    for place in 0..<4 {
      var mixed = ours
      mixed[place] = theirs[place]
      #expect(throws: SLIP39Error.otherSet(share: place)) {
        _ = try SLIP39.combine(mixed, passphrase: Self.none())
      }
    }
    #expect(throws: SLIP39Error.duplicateMember(share: 2)) {
      _ = try SLIP39.combine([ours[1], ours[0], ours[1]], passphrase: Self.none())
    }
  }

  @Test func `a share of another secret under the same identifier is noticed, also as one too many`() throws {
    let ours = try SLIP39.split(SecretBytes.random(count: 32), threshold: 2, count: 3, identifier: 1)
    let theirs = try SLIP39.split(SecretBytes.random(count: 32), threshold: 2, count: 3, identifier: 1)
    #expect(throws: SLIP39Error.digest) {
      _ = try SLIP39.combine([ours[0], theirs[1]], passphrase: Self.none())
    }
    #expect(throws: SLIP39Error.digest) {
      _ = try SLIP39.combine([ours[0], ours[1], theirs[2]], passphrase: Self.none())
    }
  }

  @Test func `numbers that the standard does not allow are refused`() throws {
    for (byteCount, threshold, count, identifier) in [
      (32, 1, 2, 0), (32, 0, 1, 0), (32, 3, 2, 0), (32, 2, 17, 0), (32, 2, 0, 0), (14, 2, 3, 0),
      (17, 2, 3, 0),
      (66, 2, 3, 0), (32, 2, 3, 1 << 15),
    ] as [(Int, Int, Int, UInt16)] {
      let secret = try SecretBytes.random(count: byteCount)
      #expect(throws: SLIP39Error.parameters) {
        try SLIP39.split(secret, threshold: threshold, count: count, identifier: identifier)
      }
    }
  }

  @Test func `fewer shares than the threshold tell nothing`() throws {
    // With the same random numbers, every secret yields the same first shares.
    func shares(of byte: UInt8) throws -> [SLIP39Share] {
      var round: UInt8 = 0
      return try SLIP39.split(
        SecretBytes([UInt8](repeating: byte, count: 32)), threshold: 3, count: 3, identifier: 9
      ) { (count) throws(CryptoError) in
        round += 1
        return SharedSecret(try SecretBytes([UInt8](repeating: round, count: count)))
      }
    }
    #expect(try text(shares(of: 1)[0]) == text(shares(of: 2)[0]))
    #expect(try text(shares(of: 1)[2]) != text(shares(of: 2)[2]))
  }
}
