internal import FoundationEssentials
internal import SwiftProtobuf
public import FuekiCrypto

extension Manifest {
  /// The schema version that this version writes.
  public static let currentSchema: UInt32 = 1

  /// Creates a manifest with the facts known before collecting.
  public init(program: String, label: String, device: String, includesPrivateKeys: Bool) {
    self.init()
    self.program = program
    self.label = label
    self.device = device
    self.includesPrivateKeys = includesPrivateKeys
    schema = Self.currentSchema
  }

  /// Whether every source is complete, except for what was excluded by request.
  public var isComplete: Bool { sources.allSatisfy(\.complete) }

  /// The items missing from the archive, each with its source and the reason.
  public var missing: [String] { sources.flatMap(\.missing) }

  /// The number of records in each section, as reported by all sources together.
  public var recordCounts: [Section: UInt64] {
    var counts: [Section: UInt64] = [:]
    for count in sources.flatMap(\.included) {
      guard let section = UInt16(exactly: count.section).flatMap(Section.init) else { continue }
      let (sum, overflow) = counts[section, default: 0].addingReportingOverflow(count.records)
      counts[section] = overflow ? .max : sum
    }
    return counts
  }

  /// Records the vault's signers.
  public mutating func name(signers keys: Set<Ed25519.PublicKey>) {
    signers = keys.sorted().map { Data($0.bytes) }
  }

  /// Encodes the message, padded to a length that was reserved before its contents were known.
  ///
  /// Any difference from 16,388 bytes to 2 MiB can be padded. Among smaller ones, 1, 2, 130 and 16,387
  /// cannot.
  ///
  /// - Throws: ``ManifestError``.
  public func serialized(paddedTo byteCount: Int) throws(ManifestError) -> [UInt8] {
    var padded = self
    padded.padding = Data()
    guard let bare = try? padded.serializedBytes() as [UInt8] else { throw .notEncodable }
    let difference = byteCount - bare.count
    guard difference >= 0 else { throw .tooLong(byteCount: bare.count) }
    guard difference > 0 else { return bare }
    // A tag, a length of one to five bytes, and at least one zero.
    let zeros = (1...5).lazy.map { difference - 1 - $0 }.first { zeros in
      zeros > 0 && RecordFraming.framedByteCount(zeros) == difference - 1
    }
    guard let zeros else { throw .unreachable(byteCount: byteCount) }
    padded.padding = Data(count: zeros)
    guard let bytes = try? padded.serializedBytes() as [UInt8] else { throw .notEncodable }
    return bytes
  }
}
