import FuekiBackup
import FuekiCrypto
import Testing

private let root = String(repeating: "ab", count: 32)
private let key = String(repeating: "8a", count: 48)
private let other = String(repeating: "9b", count: 48)

/// A record as a client writes it; blocks are slots, and attestations source and target.
private func record(
  _ keys: [(key: String, blocks: [Int], attestations: [(Int, Int)])], root: String? = root
) -> [UInt8] {
  let entries = keys.map { entry in
    let blocks = entry.blocks.map { #"{"slot": "\#($0)"}"# }.joined(separator: ",")
    let attestations = entry.attestations.map { #"{"source_epoch": "\#($0.0)", "target_epoch": "\#($0.1)"}"# }
      .joined(separator: ",")
    return
      #"{"pubkey": "0x\#(entry.key)", "signed_blocks": [\#(blocks)], "signed_attestations": [\#(attestations)]}"#
  }
  let named = root.map { #", "genesis_validators_root": "0x\#($0)""# } ?? ""
  return Array(
    #"{"metadata": {"interchange_format_version": "5"\#(named)}, "data": [\#(entries.joined(separator: ","))]}"#
      .utf8)
}

private func bytes(_ digits: String) -> [UInt8] { Hex.decode(digits) ?? [] }

@Suite struct `Slashing records` {
  @Test func `the highest of each key, whatever the order`() throws {
    let read = try SlashingRecord(reading: record([(key, [7, 9, 8], [(3, 4), (1, 2)]), (other, [], [])]))
    #expect(read.keys[bytes(key)] == .init(slot: 9, sourceEpoch: 3, targetEpoch: 4))
    #expect(read.keys[bytes(other)] == .init())
    #expect(!read.isSlashable && read.genesisRoot == bytes(root))
  }

  @Test func `a merge has the larger of each, and is a record that reads back as itself`() throws {
    let a = try SlashingRecord(reading: record([(key, [9], [(3, 9)])]))
    let b = try SlashingRecord(reading: record([(key, [5], [(4, 5)]), (other, [2], [])]))
    let merged = try #require(a.merged(with: b))
    #expect(merged == b.merged(with: a))
    #expect(merged.keys[bytes(key)] == .init(slot: 9, sourceEpoch: 4, targetEpoch: 9))
    #expect(merged.keys[bytes(other)] == .init(slot: 2))
    #expect(merged.covers(a) && merged.covers(b) && !a.covers(b) && !a.covers(merged))
    #expect(try SlashingRecord(reading: merged.fileContent) == merged)
    #expect(merged.merged(with: merged)?.fileContent == merged.fileContent)
  }

  @Test func `records of other networks, and of none, are not merged`() throws {
    let a = try SlashingRecord(reading: record([(key, [9], [])]))
    let foreign = try SlashingRecord(
      reading: record([(key, [5], [])], root: String(repeating: "cd", count: 32)))
    let unnamed = try SlashingRecord(reading: record([(key, [5], [])], root: nil))
    #expect(a.merged(with: foreign) == nil && a.merged(with: unnamed) == nil)
    #expect(unnamed.merged(with: unnamed) == nil && !a.covers(foreign) && !unnamed.covers(unnamed))
  }

  @Test(
    arguments: [
      ([10, 10], [], true), ([10, 11], [], false), ([], [(8, 7)], true), ([], [(0, 4), (2, 3)], true),
      ([], [(2, 3), (0, 4)], true), ([], [(0, 2), (1, 3)], false), ([], [(0, 2), (1, 2)], true),
      ([], [(1, 4), (1, 3)], false), ([], [(0, 0)], false),
    ] as [([Int], [(Int, Int)], Bool)])
  func `messages that a validator is slashed for are seen`(
    _ blocks: [Int], _ attestations: [(Int, Int)], _ isSlashable: Bool
  ) throws {
    #expect(try SlashingRecord(reading: record([(key, blocks, attestations)])).isSlashable == isSlashable)
    // Two entries of one key count together.
    let apart = blocks.map { (key, [$0], []) } + attestations.map { (key, [], [$0]) }
    #expect(try SlashingRecord(reading: record(apart)).isSlashable == isSlashable)
  }

  @Test func `the same message twice is one message`() throws {
    let block = #"{"slot": "1", "signing_root": "0x\#(root)"}"#
    let text = String(decoding: record([(key, [], [])]), as: UTF8.self)
      .replacing(#""signed_blocks": []"#, with: #""signed_blocks": [\#(block), \#(block)]"#)
    #expect(try !SlashingRecord(reading: Array(text.utf8)).isSlashable)
  }

  @Test func `what is no record is refused, with what is wrong`() throws {
    let text = String(decoding: record([(key, [1], [(1, 2)])]), as: UTF8.self)
    func refusal(_ old: String, _ new: String) -> SlashingRecordError? {
      do throws(SlashingRecordError) {
        _ = try SlashingRecord(reading: Array(text.replacing(old, with: new).utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(#""pubkey": "0x\#(key)", "#, "") == .noPublicKey(entry: 0))
    #expect(refusal("8a8a", "8a") == .noPublicKey(entry: 0))
    #expect(refusal(#"version": "5""#, #"version": "4""#) == .unknownVersion("\"4\""))
    #expect(refusal(#""slot": "1""#, #""slot": "-1""#) == .malformed(entry: 0, member: "slot"))
    #expect(
      refusal(#""slot": "1""#, #""slot": "18446744073709551616""#) == .malformed(entry: 0, member: "slot"))
    #expect(refusal("0xabab", "0xab") == .malformed(entry: 0, member: "genesis_validators_root"))
    #expect(refusal(#""target_epoch": "2""#, #""t": "2""#) == .malformed(entry: 0, member: "target_epoch"))
    #expect(throws: SlashingRecordError.self) { try SlashingRecord(reading: Array("[]".utf8)) }
    #expect(throws: SlashingRecordError.self) { try SlashingRecord(reading: []) }
    // A truncated text is never accepted as complete.
    for count in stride(from: 0, to: text.utf8.count, by: 7) {
      #expect(throws: SlashingRecordError.self) {
        try SlashingRecord(reading: Array(text.utf8.prefix(count)))
      }
    }
  }

  @Test func `a merged source above its target is written with a higher target`() throws {
    let read = SlashingRecord(
      genesisRoot: bytes(root), keys: [bytes(key): .init(slot: nil, sourceEpoch: 9, targetEpoch: 3)])
    let back = try SlashingRecord(reading: read.fileContent)
    #expect(back.keys[bytes(key)] == .init(sourceEpoch: 9, targetEpoch: 9) && !back.isSlashable)
  }
}
