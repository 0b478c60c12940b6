internal import FuekiCrypto

/// A section of a history that two files hold: the base's records without those that the differential archive removes
/// or has otherwise, then its own (fueki-archive(5), DIFFERENTIAL ARCHIVES).
struct JoinedSection: Sendable {
  let id: UInt16
  let own: SectionPart?
  let base: SectionPart?
  /// Names the base where something in it does not hold.
  let reference: BaseReference
  let change: SectionChange
}

/// What of the base gives way, by SHA-256 of the records' identities: all that a reader keeps of them.
struct ReplacedRecords: Sendable {
  let own: Set<Digest>
  let removed: Set<Digest>

  var isEmpty: Bool { own.isEmpty && removed.isEmpty }
}

/// Some of a result's records, and what they add to its checks.
struct ResultBlock<Decoded: Sendable>: Sendable {
  let decoded: Decoded
  let records: Int
  let sum: SetDigest
  /// Identities of records that were left out because they are removed.
  let removed: Set<Digest>
}

/// Reads a joined section: step 10 of fueki-archive(5), as far as it concerns it.
///
/// The differential archive's records are read twice, first for their identities: those of the base, which are many
/// more, are not held.
final class JoinedReader<Decoded: Sendable> {
  private typealias Blocks = PartReader<ResultBlock<Decoded>>

  private enum Stage {
    case identities
    case base(Blocks)
    case own(Blocks?)
    case end
  }

  /// What of either file is lost, once ``next()`` has given nil.
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
  ///   - section: what is read.
  ///   - judge: is given each record of the base, those that give way too.
  ///   - map: decodes what is left of one block; runs on workers.
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

  /// The identities of the archive's own records, none of which is removed, too.
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

  /// Compares the result with what the changes announce, where nothing of it is lost.
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
  /// What is lost of a section that two files hold, as if the base's records stood before the others.
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
