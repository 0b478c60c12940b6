internal import FuekiCrypto
internal import FuekiWallet

/// Validators' signing history in the format of EIP-3076, reduced to the highest numbers of each key.
///
/// A client that signs nothing at or below these numbers is never slashed, so they can replace the whole record.
public struct SlashingRecord: Equatable, Sendable {
  /// The highest numbers that one key has signed.
  public struct Maxima: Hashable, Sendable {
    /// The highest slot of a block.
    public var slot: UInt64?
    /// The highest source epoch of an attestation.
    public var sourceEpoch: UInt64?
    /// The highest target epoch of an attestation.
    public var targetEpoch: UInt64?

    /// Creates a key's highest numbers; nil for unknown ones.
    public init(slot: UInt64? = nil, sourceEpoch: UInt64? = nil, targetEpoch: UInt64? = nil) {
      self.slot = slot
      self.sourceEpoch = sourceEpoch
      self.targetEpoch = targetEpoch
    }

    /// The higher of each.
    func joined(with other: Maxima) -> Maxima {
      func higher(_ a: UInt64?, _ b: UInt64?) -> UInt64? { [a, b].compactMap(\.self).max() }
      return Maxima(
        slot: higher(slot, other.slot), sourceEpoch: higher(sourceEpoch, other.sourceEpoch),
        targetEpoch: higher(targetEpoch, other.targetEpoch))
    }
  }

  /// The name of the format in file records.
  public static let format = "eip3076"
  /// No record is longer.
  public static let byteCountLimit = 64 << 20

  /// The root that identifies the network, 32 bytes; nil if the file has none.
  public let genesisRoot: [UInt8]?
  /// Each key's highest, by the key's 48 bytes.
  public internal(set) var keys: [[UInt8]: Maxima]
  /// Whether the file contains two messages that together get a validator slashed.
  public internal(set) var isSlashable = false

  /// A record of these keys.
  public init(genesisRoot: [UInt8]?, keys: [[UInt8]: Maxima]) {
    self.genesisRoot = genesisRoot
    self.keys = keys
  }

  /// The highest of all keys together.
  public var highest: Maxima { keys.values.reduce(Maxima()) { $0.joined(with: $1) } }

  /// Whether every key of another record of the same network is here, and nothing of it is higher.
  public func covers(_ other: SlashingRecord) -> Bool {
    genesisRoot != nil && genesisRoot == other.genesisRoot
      && other.keys.allSatisfy { key, maxima in keys[key].map { $0.joined(with: maxima) == $0 } ?? false }
  }

  /// Returns the union of both records, with the higher numbers for each key.
  ///
  /// - Returns: nil if they may be of different networks, where a merged record would protect nothing.
  public func merged(with other: SlashingRecord) -> SlashingRecord? {
    guard let genesisRoot, genesisRoot == other.genesisRoot else { return nil }
    return SlashingRecord(
      genesisRoot: genesisRoot, keys: keys.merging(other.keys) { $0.joined(with: $1) })
  }

  /// The record as a file that every client imports, the same for the same numbers.
  public var fileContent: [UInt8] {
    let root = genesisRoot.map { ",\n    \"genesis_validators_root\": \"0x\(Hex.encode($0))\"" } ?? ""
    let entries = keys.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, maxima in
      Self.entry(key, maxima)
    }
    let list = entries.isEmpty ? "[]" : "[\n\(entries.joined(separator: ",\n"))\n  ]"
    return Array(
      """
      {
        "metadata": {
          "interchange_format_version": "5"\(root)
        },
        "data": \(list)
      }

      """.utf8)
  }

  private static func entry(_ key: [UInt8], _ maxima: Maxima) -> String {
    let blocks = maxima.slot.map { "{ \"slot\": \"\($0)\" }" } ?? ""
    var attestations = ""
    if maxima.sourceEpoch != nil || maxima.targetEpoch != nil {
      let source = maxima.sourceEpoch ?? 0
      // Clients refuse a source above its target, and a higher target protects as well.
      let target = max(maxima.targetEpoch ?? 0, source)
      attestations = "{ \"source_epoch\": \"\(source)\", \"target_epoch\": \"\(target)\" }"
    }
    return """
          {
            "pubkey": "0x\(Hex.encode(key))",
            "signed_blocks": [\(blocks)],
            "signed_attestations": [\(attestations)]
          }
      """
  }
}

/// Why a file is no slashing record that can be relied on.
public enum SlashingRecordError: Error, Equatable, Sendable {
  /// It is not JSON, or no interchange file.
  case otherFile(reason: String)
  /// It is an interchange file of another version.
  case unknownVersion(String)
  /// An entry has no public key, or an invalid one.
  case noPublicKey(entry: Int)
  /// A number or a root is malformed.
  case malformed(entry: Int, member: String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .otherFile(let reason): reason
    case .unknownVersion(let version): "a slashing record of version \(version), not of version 5"
    case .noPublicKey(let entry): "entry \(entry) names no public key"
    case .malformed(let entry, let member): "\(member) of entry \(entry) is not readable"
    }
  }
}

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
