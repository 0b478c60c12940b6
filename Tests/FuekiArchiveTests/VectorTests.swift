import FoundationEssentials
import FuekiArchive
import FuekiCrypto
import TestSupport
import Testing

@Suite struct VectorTests {
  @Test func `the vectors are there`() {
    #expect(Vector.all.count > 300)
  }

  @Test func `every key of every vector is read`() throws {
    struct Keys: Decodable {
      let keys: [String]
      init(from decoder: any Decoder) throws {
        keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
      }
    }
    struct File: Decodable {
      let reader: Keys
    }
    let known = Set(
      VectorFile.CodingKeys.allCases.map(\.rawValue) + StoredVector.CodingKeys.allCases.map(\.rawValue))
    let knownOfReader = Set(VectorFile.Reader.CodingKeys.allCases.map(\.rawValue))
    for vector in Vector.all {
      let json = Data(try TestVectors.file("archives/\(vector.name).json"))
      let keys = try JSONDecoder().decode(Keys.self, from: json)
      #expect(known.isSuperset(of: keys.keys), "\(vector.name)")
      let file = try JSONDecoder().decode(File.self, from: json)
      #expect(knownOfReader.isSuperset(of: file.reader.keys), "\(vector.name)")
    }
  }

  @Test(arguments: Vector.all)
  func `the vector's verdict is given`(_ vector: Vector) throws {
    let expected = vector.facts
    let found = try Reading(try vector.bytes(), as: expected.reader, to: expected.depth)
    let reason = Comment(rawValue: "\(vector.name): \(found.error.map { "\($0)" } ?? "no error")")
    #expect(found.verdicts[expected.depth] == expected.verdict, reason)
    for depth in Depth.allCases where depth < expected.depth {
      // A salvage continues past the verdict of a lesser depth.
      let passed = expected.reader.salvage == true ? ["damaged"] : []
      #expect((["ok", expected.verdict] + passed).contains(found.verdicts[depth]), reason)
    }
    if let damage = expected.damage { #expect(found.damage == damage, reason) }
    if let opens = expected.opens { #expect((found.archive != nil) == opens, reason) }
    if let reported = expected.reported { #expect(found.reported == reported, reason) }
    if let contents = expected.archive { try compare(found, with: contents, reason) }
    if let shares = expected.shares, case .tooFewShares(let shortfall) = found.error {
      #expect(shortfall.missing == shares.missing, reason)
      #expect(shortfall.problems.map(\.place) == shares.problems.map(\.place), reason)
      #expect(shortfall.problems.map(\.fault.vectorName) == shares.problems.map(\.fault), reason)
    }
    if let salvaged = expected.salvaged {
      let archive: any UnlockedArchive = try #require(found.salvaged ?? found.archive, reason)
      try archive.compare(with: salvaged, reason)
    }
    if let result = expected.result {
      let archive: any UnlockedArchive = try #require(found.salvaged ?? found.archive, reason)
      try compare(archive, with: result, reason)
    }
    for share in expected.keyShares ?? [] { try compare(share, in: found) }
  }

  private func compare(_ found: Reading, with expected: VectorFile.Contents, _ reason: Comment) throws {
    let archive = try #require(found.archive, reason)
    let stored = archive.source.source
    #expect(archive.digest.hex == expected.digest)
    #expect(stored.statedDigest.hex == expected.digest)
    #expect(archive.facts.vaultID.hex == expected.vault)
    #expect(archive.facts.sequence == expected.sequence)
    #expect(archive.facts.previous.hex == expected.previous)
    #expect(archive.facts.created == expected.created)
    #expect(archive.facts.signer?.hex == expected.signer)
    #expect(stored.slots.map(\.mask.rawValue) == expected.slots.map(\.mask))
    #expect(stored.slots.map { Int($0.type.rawValue) } == expected.slots.map(\.type))
    #expect(stored.unknownFields == expected.unknownFields)
    #expect(stored.streamBytes == expected.chunks.map { $0 * UInt64(Limits.chunkPlaintextBytes) })
    #expect(archive.scopes.map(\.name) == expected.scopes)
    #expect(found.bundleChecksum?.hex == expected.bundleChecksum)
    #expect(archive.ownSections.map(\.id) == expected.sections.map(\.id))
    #expect(archive.ownSections.map(\.records) == expected.sections.map(\.records))
    #expect(archive.ownSections.map(\.plaintextBytes) == expected.sections.map(\.bytes))
    #expect(archive.ownSections.map(\.digest.hex) == expected.sections.map(\.sha256))
    if archive.joinedBase == nil { #expect(archive.sections == archive.ownSections) }
  }

  /// Compares the joined history of an archive and its base, record by record in order.
  private func compare(
    _ archive: any UnlockedArchive, with expected: [VectorFile.Result], _ reason: Comment
  ) throws {
    let history = archive.sections.filter { Changes.sectionIDs.contains($0.id) }
    #expect(history.map(\.id) == expected.filter { $0.records > 0 }.map(\.id), reason)
    #expect(history.map { Int($0.records) } == expected.map(\.records).filter { $0 > 0 }, reason)
    for section in expected {
      var digest = SHA256()
      var records = 0
      let loss = try archive.readRecords(of: section.id) { block in
        var batch = RecordBatch()
        for message in block.messages { batch.append(block.bytes[message]) }
        return batch
      } body: { batch in
        digest.update(batch.bytes)
        records += batch.count
      }
      #expect(loss == nil && records == section.records, reason)
      #expect(digest.finalize().hex == section.sha256, reason)
    }
  }

  /// Finds the share's record in section 64: its id is field 1, and its sealed bytes are field 2.
  private func compare(_ share: VectorFile.KeyShare, in found: Reading) throws {
    let archive = try #require(found.archive)
    let id = try #require(Hex.decode(share.id))
    var sealed: [UInt8] = []
    try archive.readSecretSection(64) { message in
      let bytes = message.indices.map { message[$0] }
      guard bytes.starts(with: [0x0A, 16] + id) else { return }
      sealed = Array(bytes[20...])
    }
    guard let secret = share.secret else {
      #expect(throws: ArchiveError.forged(.keyShare)) { _ = try archive.open(share: sealed, id: id) }
      return
    }
    let opened = try archive.open(share: sealed, id: id)
    let bytes = opened.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    #expect(Hex.encode(bytes) == secret)
  }
}
