internal import FuekiCrypto

/// A section of a history split over two files.
///
/// It has the base's records except those removed or replaced by the differential archive, then the archive's
/// own (fueki-archive(5), DIFFERENTIAL ARCHIVES).
struct JoinedSection: Sendable {
  let id: UInt16
  let own: SectionPart?
  let base: SectionPart?
  /// The base to name in errors.
  let reference: BaseReference
  let change: SectionChange
}

/// The base's replaced and removed records, as SHA-256 of their identities to save memory.
struct ReplacedRecords: Sendable {
  let own: Set<Digest>
  let removed: Set<Digest>

  var isEmpty: Bool { own.isEmpty && removed.isEmpty }
}

/// Some of a result's records, and their contribution to its checks.
struct ResultBlock<Decoded: Sendable>: Sendable {
  let decoded: Decoded
  let records: Int
  let sum: SetDigest
  /// Identities of records left out because they are removed.
  let removed: Set<Digest>
}

/// Reads a joined section: step 10 of fueki-archive(5), for one section.
///
/// The differential archive's records are read twice, first for their identities, so that the base's far more
/// numerous identities need not be held.
final class JoinedReader<Decoded: Sendable> {
  private typealias Blocks = PartReader<ResultBlock<Decoded>>

  private enum Stage {
    case identities
    case base(Blocks)
    case own(Blocks?)
    case end
  }

  /// The loss in either file, once ``next()`` has returned nil.
  private(set) var loss: SectionLoss?
  private let section: JoinedSection
  private let judge: RecordJudge
  private let map: @Sendable (RecordBlock) throws -> Decoded
  private var stage = Stage.identities
  private var removed: Set<Digest> = []
  private var baseLoss: SectionLoss?
  private var ownLoss: SectionLoss?
  private var sum = SetDigest()
  private var records: UInt64 = 0
  private var met: Set<Digest> = []

  /// - Parameters:
  ///   - section: the section to read.
  ///   - judge: receives each record of the base, including replaced ones.
  ///   - map: decodes the remaining records of one block; runs on workers.
  init(
    _ section: JoinedSection, judgingBase judge: @escaping RecordJudge = { _, _ in },
    map: @escaping @Sendable (RecordBlock) throws -> Decoded
  ) {
    self.section = section
    self.judge = judge
    self.map = map
  }

  func next() throws -> Decoded? {
    while true {
      switch stage {
      case .identities:
        let replaced = try replacedRecords()
        stage = section.base.map { .base(Self.reader($0, leavingOut: replaced, judge, map)) } ?? ownStage
      case .base(let reader):
        do {
          if let block = try reader.next() { return note(block) }
        } catch let error as ArchiveError {
          throw error.ofBase(section.reference)
        }
        baseLoss = reader.loss
        stage = ownStage
      case .own(let reader):
        if let block = try reader?.next() { return note(block) }
        ownLoss = reader?.loss
        stage = .end
        try finish()
      case .end: return nil
      }
    }
  }

  private var ownStage: Stage {
    let nothing = ReplacedRecords(own: [], removed: [])
    return .own(section.own.map { Self.reader($0, leavingOut: nothing, { _, _ in }, map) })
  }

  /// Collects the identities of the archive's own records, and checks that none is also removed.
  private func replacedRecords() throws -> ReplacedRecords {
    removed = Set(section.change.removed.map { SHA256.hash($0.span) })
    var own: Set<Digest> = []
    if let part = section.own {
      let id = section.id
      let reader = PartReader(part) { block in
        let bytes = block.bytes.span
        return block.messages.map { range in
          let message = bytes.extracting(range)
          return RecordIdentity(of: message, in: id).digest(in: message)
        }
      }
      while let identities = try reader.next() { own.formUnion(identities) }
    }
    guard own.isDisjoint(with: removed) else { throw ArchiveError.forged(.result(section: section.id)) }
    return ReplacedRecords(own: own, removed: removed)
  }

  private static func reader(
    _ part: SectionPart, leavingOut replaced: ReplacedRecords, _ judge: @escaping RecordJudge,
    _ map: @escaping @Sendable (RecordBlock) throws -> Decoded
  ) -> Blocks {
    let id = part.section.id
    return PartReader(part) { block in
      var sum = SetDigest()
      var removed: Set<Digest> = []
      let kept = try block.keeping { message in
        try judge(id, message)
        if !replaced.isEmpty {
          let identity = RecordIdentity(of: message, in: id).digest(in: message)
          guard !replaced.own.contains(identity) else { return false }
          guard !replaced.removed.contains(identity) else {
            removed.insert(identity)
            return false
          }
        }
        sum.add(message, section: id)
        return true
      }
      return ResultBlock(
        decoded: try map(kept), records: kept.messages.count, sum: sum, removed: removed)
    }
  }

  private func note(_ block: ResultBlock<Decoded>) -> Decoded {
    records += UInt64(block.records)
    sum.add(block.sum)
    met.formUnion(block.removed)
    return block.decoded
  }

  /// Compares a complete result with the announced changes.
  private func finish() throws {
    loss = SectionLoss.joining(baseLoss, of: section.base, ownLoss, of: section.own)
    guard loss == nil else { return }
    let change = section.change
    guard met == removed, records == change.records,
      sum.value(section: section.id, records: records) == change.setDigest
    else { throw ArchiveError.forged(.result(section: section.id)) }
  }
}

extension SectionLoss {
  /// Combines the losses of both files, as if the base's records came first.
  fileprivate static func joining(
    _ base: SectionLoss?, of basePart: SectionPart?, _ own: SectionLoss?, of ownPart: SectionPart?
  ) -> SectionLoss? {
    guard let known = base ?? own else { return nil }
    let before = basePart?.section.records ?? 0
    let keptBefore = before - (base?.lostRecords ?? 0)
    let bytesBefore = basePart?.section.plaintextBytes ?? 0
    let gaps = own?.gaps.map { $0.moved(bytes: bytesBefore, records: before, kept: keptBefore) } ?? []
    return SectionLoss(
      section: known.section, records: before + (ownPart?.section.records ?? 0),
      lostRecords: (base?.lostRecords ?? 0) + (own?.lostRecords ?? 0), gaps: (base?.gaps ?? []) + gaps)
  }
}

extension SectionLoss.Gap {
  fileprivate func moved(bytes more: UInt64, records: UInt64, kept: UInt64) -> Self {
    Self(
      bytes: bytes.lowerBound + more..<bytes.upperBound + more, keptBefore: keptBefore + kept, count: count,
      first: first.lowerBound + records...first.upperBound + records,
      last: last.lowerBound + records...last.upperBound + records)
  }
}
