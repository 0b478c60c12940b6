internal import FoundationEssentials
internal import SwiftProtobuf
public import FuekiCrypto

extension RecordKind {
  /// The archive's description of itself: exactly one record.
  static let manifest = RecordKind(
    .manifest, "manifest", .message(Manifest.self), in: nil,
    [
      .always(1, "profile_digest", .bytes), .always(2, "history_digest", .bytes),
      .always(3, "secrets_digest", .bytes), .always(4, "program", .text), .always(5, "schema", .unsigned32),
      .always(6, "label", .text), .always(7, "device", .text), .list(8, "sources", .message(sourceReport)),
      .list(9, "share_checks", .text), .list(10, "unknown_columns", .message(unknownColumn)),
      .list(11, "problems", .message(recordProblem)), .always(12, "includes_private_keys", .boolean),
      .always(14, "padding", .omitted), .list(16, "signers", .bytes),
    ])

  private static let sourceReport = RecordMessage(
    .always(1, "name", .text), .list(2, "included", .message(sectionCount)),
    .list(3, "excluded", .message(exclusion)), .always(4, "complete", .boolean))

  private static let sectionCount = RecordMessage(
    .always(1, "section", .unsigned32), .always(2, "records", .unsigned64))

  private static let exclusion = RecordMessage(
    .always(1, "what", .text), .always(2, "reason", .text), .always(3, "by_request", .boolean))

  private static let recordProblem = RecordMessage(
    .always(1, "section", .unsigned32), .always(2, "id", .bytes), .always(3, "problem", .text))

  private static let unknownColumn = RecordMessage(
    .always(1, "table", .text), .always(2, "column", .text), .always(3, "declared_type", .text))
}

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
  package var isComplete: Bool { sources.allSatisfy(\.complete) }

  /// The items missing from the archive, each with its source and the reason.
  public var missing: [String] { sources.flatMap(\.missing) }

  /// The number of records in each section, as reported by all sources together.
  package var recordCounts: [Section: UInt64] {
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

/// Why a manifest cannot be padded to its reserved length.
public enum ManifestError: Error, Equatable, Sendable {
  /// It is already longer.
  case tooLong(byteCount: Int)
  /// Padding cannot produce exactly this difference.
  case unreachable(byteCount: Int)
  /// It cannot be encoded.
  case notEncodable
}

extension SourceReport {
  /// Creates the report of a source before collecting.
  public init(source name: String) {
    self.init()
    self.name = name
    complete = true
  }

  /// Adds to the number of records of a section from this source.
  public mutating func include(_ count: UInt64, in section: Section) {
    guard count > 0 else { return }
    if let i = included.firstIndex(where: { $0.section == section.rawValue }) {
      included[i].records += count
      return
    }
    var entry = SectionCount()
    entry.section = UInt32(section.rawValue)
    entry.records = count
    let place = included.firstIndex { $0.section > entry.section } ?? included.endIndex
    included.insert(entry, at: place)
  }

  /// Records an exclusion with its reason.
  ///
  /// The source is complete only if all exclusions were by request.
  public mutating func exclude(_ what: String, reason: String, byRequest: Bool) {
    var exclusion = Exclusion()
    exclusion.what = what
    exclusion.reason = reason
    exclusion.byRequest = byRequest
    excluded.append(exclusion)
    complete = excluded.allSatisfy(\.byRequest)
  }

  /// Returns the number of records of a section from this source.
  public func records(in section: Section) -> UInt64 {
    included.first { $0.section == section.rawValue }?.records ?? 0
  }

  /// The exclusions that were not requested.
  package var losses: [Exclusion] { excluded.filter { !$0.byRequest && !$0.isKeptUnread } }

  /// The files that are in the archive though no kind reads them, each with the reason.
  public var keptUnread: [String] {
    excluded.filter(\.isKeptUnread).map { "\(name): \($0.what): \($0.bareReason)" }
  }

  /// The items missing from the archive, each with the reason; empty if the source is complete.
  public var missing: [String] {
    guard !complete else { return [] }
    return losses.isEmpty ? ["\(name): not all of it"] : losses.map { "\(name): \($0.what): \($0.reason)" }
  }
}

extension Exclusion {
  /// The beginning of the reason of a file that is in the archive though no kind reads it.
  public static let keptUnread = "kept, not read: "

  /// Whether it is a file that is in the archive though no kind reads it.
  public var isKeptUnread: Bool { reason.utf8.starts(with: Self.keptUnread.utf8) }

  /// What happened to it, in a few words: "left out", "kept, not read", "not taken", or `missing` if it is missing.
  public func fate(isComplete: Bool, missing: String) -> String {
    if byRequest { return "left out" }
    return isKeptUnread ? "kept, not read" : isComplete ? "not taken" : missing
  }

  /// The reason without the fate.
  public var bareReason: String {
    isKeptUnread ? String(decoding: reason.utf8.dropFirst(Self.keptUnread.utf8.count), as: UTF8.self) : reason
  }
}

/// Unencrypted keys of a source that their owner decided to leave out of an archive.
public struct DeclinedKeys: Codable, Hashable, Sendable {
  /// The configuration table with the decision.
  public enum Decision: String, CaseIterable, Codable, Sendable {
    /// `private_keys = false` in a `[[target]]`.
    case target
    /// `include_private_keys = false` in the source's `[[source]]`.
    case source

    /// The condition for including the keys: the end of the sentence "it leaves …" in a report.
    public var condition: String {
      switch self {
      case .target: "only without private_keys = false in the [[target]]"
      case .source: "only without include_private_keys = false in its [[source]]"
      }
    }
  }

  /// The source's name in reports.
  public let source: String
  /// The table with the decision.
  public let decision: Decision
}

extension SourceReport {
  /// The unencrypted keys left out by decision, once for each decision.
  public var declinedKeys: [DeclinedKeys] {
    DeclinedKeys.Decision.allCases.filter { decision in
      excluded.contains { $0.byRequest && $0.reason.hasSuffix(decision.condition) }
    }.map { DeclinedKeys(source: name, decision: $0) }
  }
}
