/// What is lost of one section of a damaged archive.
public struct SectionLoss: Hashable, Sendable {
  /// The section's id.
  public let section: UInt16
  /// How many records the section had.
  public let records: UInt64
  /// How many of them are lost.
  public let lostRecords: UInt64
  /// Where they were, in order.
  public let gaps: [Gap]

  /// Blocks that stood together and are all lost.
  public struct Gap: Hashable, Sendable {
    /// Where the lost bytes were in the section's plaintext.
    public let bytes: Range<UInt64>
    /// How many records before the gap are not lost.
    public let keptBefore: UInt64
    /// How many records are lost; a range where several gaps share what is lost.
    public let count: ClosedRange<UInt64>
    /// The number, from 1, of the first record that is lost, or where it can be.
    public let first: ClosedRange<UInt64>
    /// The number of the last record that is lost, or where it can be.
    public let last: ClosedRange<UInt64>

    /// The numbers of the records that are lost, where both ends are known.
    public var records: ClosedRange<UInt64>? {
      first.count == 1 && last.count == 1 ? first.lowerBound...last.lowerBound : nil
    }
  }

  /// How many bytes of the section's plaintext are lost.
  public var lostBytes: UInt64 { gaps.reduce(0) { $0 + UInt64($1.bytes.count) } }
}

/// Counts a section's blocks as they come, or do not.
struct LossTally {
  private struct Run {
    let start: UInt64
    let keptBefore: UInt64
    var blocks: UInt64 = 0
    var bytes: UInt64 = 0
  }

  private(set) var kept: UInt64 = 0
  private var position: UInt64 = 0
  private var runs: [Run] = []
  private var isInRun = false

  /// Notes a block that was read.
  mutating func keep(records: Int, of block: StreamIndex.Block) {
    kept += UInt64(records)
    position += UInt64(block.plaintextBytes)
    isInRun = false
  }

  /// Notes a block that is lost.
  mutating func lose(_ block: StreamIndex.Block) {
    if !isInRun { runs.append(Run(start: position, keptBefore: kept)) }
    isInRun = true
    runs[runs.count - 1].blocks += 1
    runs[runs.count - 1].bytes += UInt64(block.plaintextBytes)
    position += UInt64(block.plaintextBytes)
  }

  /// What is lost, or nil where every block came.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` where the section cannot have as many records as its index says.
  func loss(of section: StreamIndex.Section) throws(ArchiveError) -> SectionLoss? {
    let blocks = runs.reduce(0) { $0 + $1.blocks }
    let bytes = runs.reduce(0) { $0 + $1.bytes }
    // Every block holds a record, and every record has a byte.
    guard section.records >= kept, (blocks...bytes).contains(section.records - kept) else {
      throw .forged(.records(section: section.id))
    }
    guard !runs.isEmpty else { return nil }
    let lost = section.records - kept
    let gaps = runs.indices.map { place in
      let (run, before, behind) = (runs[place], runs[..<place], runs[(place + 1)...])
      let lostBefore = Self.share(of: before, besides: runs[place...], in: lost)
      let lostBehind = Self.share(of: behind, besides: runs[...place], in: lost)
      let end = section.records - (kept - run.keptBefore)
      return SectionLoss.Gap(
        bytes: run.start..<run.start + run.bytes, keptBefore: run.keptBefore,
        count: Self.share(of: [run], besides: before + behind, in: lost),
        first: run.keptBefore + 1 + lostBefore.lowerBound...run.keptBefore + 1 + lostBefore.upperBound,
        last: end - lostBehind.upperBound...end - lostBehind.lowerBound)
    }
    return SectionLoss(section: section.id, records: section.records, lostRecords: lost, gaps: gaps)
  }

  /// How many of the lost records some runs may have had, given that the others had theirs.
  private static func share(
    of runs: ArraySlice<Run>, besides others: ArraySlice<Run>, in lost: UInt64
  ) -> ClosedRange<UInt64> {
    let elsewhere = others.reduce(0) { $0 + $1.bytes }
    let least = max(runs.reduce(0) { $0 + $1.blocks }, lost > elsewhere ? lost - elsewhere : 0)
    let most = min(runs.reduce(0) { $0 + $1.bytes }, lost - others.reduce(0) { $0 + $1.blocks })
    return least...most
  }
}
