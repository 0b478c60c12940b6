internal import FuekiSystem

/// Reads a section's records from one file, block by block: steps 8 and 9 of fueki-archive(5), for one
/// section.
///
/// Workers open and decode blocks a few ahead of the caller. Returned records are confirmed only when
/// ``next()`` returns nil, because the section's digest is compared at its end.
final class PartReader<Decoded: Sendable> {
  /// One block as a worker read it.
  private enum Block: Sendable {
    case kept(StreamIndex.Block, [UInt8], messages: Int, Decoded)
    case lost(StreamIndex.Block)
  }

  /// The section's loss, once ``next()`` has returned nil.
  ///
  /// Always nil for an intact archive.
  private(set) var loss: SectionLoss?
  private let part: SectionPart
  private let map: @Sendable (RecordBlock) throws -> Decoded
  private let workers = OrderedWorkers<[Block]>(width: Processors.count, window: Processors.count + 1)
  private var groups: BlockGroups
  private var hasMoreGroups = true
  private var ready: ArraySlice<Block> = []
  private let digest: SectionDigest
  private var tally = LossTally()

  init(_ part: SectionPart, map: @escaping @Sendable (RecordBlock) throws -> Decoded) {
    self.part = part
    self.map = map
    digest = SectionDigest(of: part.section)
    groups = BlockGroups(part.section.blocks, at: part.offset, apart: part.opening.isDamaged)
  }

  /// Returns the next decoded block; nil at the end, after the section's digest matched.
  ///
  /// - Throws: ``ArchiveError``, and the errors of decoding.
  func next() throws -> Decoded? {
    while true {
      guard let block = ready.popFirst() else {
        submitGroups()
        guard let blocks = try workers.next() else {
          if let digest = try digest.finish() { loss = try tally.loss(of: part.section, digest) }
          return nil
        }
        ready = blocks[...]
        continue
      }
      switch block {
      case .kept(let stated, let plaintext, let messages, let decoded):
        try digest.update(plaintext)
        tally.keep(records: messages, of: stated)
        return decoded
      case .lost(let stated): tally.lose(stated)
      }
    }
  }

  private func submitGroups() {
    while hasMoreGroups, !workers.isFull {
      guard let group = groups.next() else {
        hasMoreGroups = false
        return
      }
      workers.submit { [opening = part.opening, map, id = part.section.id] in
        guard let plaintexts = try opening.decode(group, section: id) else {
          return group.blocks.map(Block.lost)
        }
        return try zip(group.blocks, plaintexts).map { stated, plaintext in
          let block = try RecordBlock(plaintext, section: id)
          return .kept(stated, plaintext, messages: block.messages.count, try map(block))
        }
      }
    }
  }
}
