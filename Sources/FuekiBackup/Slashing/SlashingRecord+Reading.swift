internal import FuekiCrypto
internal import FuekiWallet

extension SlashingRecord {
  /// Reads a whole file.
  ///
  /// Unknown members are skipped. Numbers may be JSON numbers, as some tools write them.
  ///
  /// - Throws: ``SlashingRecordError``.
  public init(reading bytes: [UInt8]) throws(SlashingRecordError) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(bytes, limit: Self.byteCountLimit).root
    } catch {
      throw .otherFile(reason: error.sentence)
    }
    guard let metadata = root.member("metadata"), let data = root.member("data"), data.kind == .array else {
      throw .otherFile(reason: "JSON, but no slashing record")
    }
    let version = metadata.member("interchange_format_version")
    guard let number = version?.string ?? version?.number, number == "5" else {
      throw .unknownVersion(String((version?.source ?? "").prefix(20)))
    }
    var genesisRoot: [UInt8]?
    if let text = metadata.member("genesis_validators_root")?.string {
      guard let bytes = Self.bytes(text, count: 32) else {
        throw .malformed(entry: 0, member: "genesis_validators_root")
      }
      genesisRoot = bytes
    }
    self.init(genesisRoot: genesisRoot, keys: [:])
    var messages: [[UInt8]: SignedMessages] = [:]
    for (index, entry) in data.children.enumerated() {
      guard let text = entry.member("pubkey")?.string, let key = Self.bytes(text, count: 48) else {
        throw .noPublicKey(entry: index)
      }
      // One key may have several entries, whose messages count together.
      var signed = messages[key] ?? SignedMessages()
      messages[key] = nil
      try signed.add(entry, index)
      messages[key] = signed
    }
    for (key, signed) in messages {
      keys[key] = signed.maxima
      if signed.isSlashable { isSlashable = true }
    }
  }

  /// The bytes of a hexadecimal text with or without `0x`; nil for another length.
  static func bytes(_ text: String, count: Int) -> [UInt8]? {
    let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    guard let bytes = Hex.decode(digits), bytes.count == count else { return nil }
    return bytes
  }
}

/// All that one key signed.
private struct SignedMessages {
  private struct Attestation {
    let source: UInt64
    let target: UInt64
    let root: [UInt8]?
  }

  private var blocks: [(slot: UInt64, root: [UInt8]?)] = []
  private var attestations: [Attestation] = []

  mutating func add(_ entry: JSONValue, _ index: Int) throws(SlashingRecordError) {
    for block in try Self.list(entry, "signed_blocks", index) {
      blocks.append((try Self.number(block, "slot", index), try Self.root(block, index)))
    }
    for attestation in try Self.list(entry, "signed_attestations", index) {
      attestations.append(
        Attestation(
          source: try Self.number(attestation, "source_epoch", index),
          target: try Self.number(attestation, "target_epoch", index), root: try Self.root(attestation, index)
        ))
    }
  }

  var maxima: SlashingRecord.Maxima {
    SlashingRecord.Maxima(
      slot: blocks.map(\.slot).max(), sourceEpoch: attestations.map(\.source).max(),
      targetEpoch: attestations.map(\.target).max())
  }

  /// Whether two blocks are of one slot, two votes for one target, or one vote surrounds another.
  ///
  /// Messages of the same root are one message. See EIP-3076, "Conditions".
  var isSlashable: Bool {
    Self.differ(blocks.map { ($0.slot, $0.root) })
      || Self.differ(attestations.map { ($0.target, $0.root) }, others: attestations.map(\.source))
      || attestations.contains { $0.source > $0.target } || surrounds
  }

  /// Whether two of one number differ, or are not known to be the same.
  private static func differ(_ signed: [(number: UInt64, root: [UInt8]?)], others: [UInt64] = []) -> Bool {
    var seen: [UInt64: (root: [UInt8]?, other: UInt64?)] = [:]
    for (index, message) in signed.enumerated() {
      let other = index < others.count ? others[index] : nil
      if let known = seen[message.number] {
        if known.root == nil || known.root != message.root || known.other != other { return true }
      } else {
        seen[message.number] = (message.root, other)
      }
    }
    return false
  }

  private var surrounds: Bool {
    let sorted = attestations.sorted { ($0.source, $0.target) < ($1.source, $1.target) }
    // The highest target of those that began earlier.
    var (highest, pending, source) = (UInt64?.none, UInt64(0), UInt64?.none)
    for attestation in sorted {
      if attestation.source != source {
        if source != nil { highest = max(highest ?? 0, pending) }
        (source, pending) = (attestation.source, 0)
      }
      if let highest, highest > attestation.target { return true }
      pending = max(pending, attestation.target)
    }
    return false
  }

  private static func list(
    _ entry: JSONValue, _ name: String, _ index: Int
  ) throws(SlashingRecordError) -> [JSONValue] {
    guard let member = entry.member(name), member.kind != .null else { return [] }
    guard member.kind == .array else { throw .malformed(entry: index, member: name) }
    return Array(member.children)
  }

  private static func number(
    _ value: JSONValue, _ name: String, _ index: Int
  ) throws(SlashingRecordError) -> UInt64 {
    let member = value.member(name)
    let digits = member?.string ?? member?.number ?? ""
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt64(digits) else {
      throw .malformed(entry: index, member: name)
    }
    return number
  }

  private static func root(_ value: JSONValue, _ index: Int) throws(SlashingRecordError) -> [UInt8]? {
    // Some write an empty one where they have none.
    guard let text = value.member("signing_root")?.string, !["", "0x"].contains(text) else { return nil }
    guard let bytes = SlashingRecord.bytes(text, count: 32) else {
      throw .malformed(entry: index, member: "signing_root")
    }
    return bytes
  }
}
