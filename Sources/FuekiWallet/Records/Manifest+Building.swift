internal import FoundationEssentials
internal import SwiftProtobuf
public import FuekiCrypto

/// Why a manifest cannot be given the length that was kept for it.
public enum ManifestError: Error, Equatable, Sendable {
  /// It is longer already.
  case tooLong(byteCount: Int)
  /// Padding cannot make up just this difference.
  case unreachable(byteCount: Int)
  /// It cannot be encoded.
  case notEncodable
}

extension Manifest {
  /// The version of the records' schema that this version writes.
  public static let currentSchema: UInt32 = 1

  /// Makes a manifest with what is known before anything is collected.
  public init(program: String, label: String, device: String, includesPrivateKeys: Bool) {
    self.init()
    self.program = program
    self.label = label
    self.device = device
    self.includesPrivateKeys = includesPrivateKeys
    schema = Self.currentSchema
  }

  /// Whether nothing is missing from any source but what was excluded by request.
  public var isComplete: Bool { sources.allSatisfy(\.complete) }

  /// What the sources held and the archive lacks, each with its source and the reason.
  public var missing: [String] { sources.flatMap(\.missing) }

  /// How many records all sources together gave to each section, as they reported it.
  public var recordCounts: [Section: UInt64] {
    var counts: [Section: UInt64] = [:]
    for count in sources.flatMap(\.included) {
      guard let section = UInt16(exactly: count.section).flatMap(Section.init) else { continue }
      let (sum, overflow) = counts[section, default: 0].addingReportingOverflow(count.records)
      counts[section] = overflow ? .max : sum
    }
    return counts
  }

  /// States who the vault's signers are.
  public mutating func name(signers keys: Set<Ed25519.PublicKey>) {
    signers = keys.sorted().map { Data($0.bytes) }
  }

  /// The message's bytes, filled up with padding to a length that was fixed before all of it was known.
  ///
  /// A difference from 16,388 bytes to 2 MiB can always be made up; of smaller ones 1, 2, 130 and 16,387 cannot.
  ///
  /// - Throws: ``ManifestError``.
  public func serialized(paddedTo byteCount: Int) throws(ManifestError) -> [UInt8] {
    var padded = self
    padded.padding = Data()
    guard let bare = try? padded.serializedBytes() as [UInt8] else { throw .notEncodable }
    let difference = byteCount - bare.count
    guard difference >= 0 else { throw .tooLong(byteCount: bare.count) }
    guard difference > 0 else { return bare }
    // A tag, a length of as many bytes as it takes, and at least one zero.
    let zeros = (1...5).lazy.map { difference - 1 - $0 }.first { zeros in
      zeros > 0 && RecordFraming.framedByteCount(zeros) == difference - 1
    }
    guard let zeros else { throw .unreachable(byteCount: byteCount) }
    padded.padding = Data(count: zeros)
    guard let bytes = try? padded.serializedBytes() as [UInt8] else { throw .notEncodable }
    return bytes
  }
}
