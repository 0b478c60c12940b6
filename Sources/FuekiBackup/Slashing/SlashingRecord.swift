internal import FuekiCrypto

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
