/// Reads a section's records block by block, when they are asked for: steps 8 and 9 of fueki-archive(5), as far
/// as they concern it; of a history that is put together from two files, step 10.
///
/// Blocks are opened and decoded on workers, a few ahead of the caller. What was handed out is confirmed only when
/// ``next()`` gives nil: digests are compared at the section's end.
public final class SectionReader<Decoded: Sendable> {
  private enum Source {
    case part(PartReader<Decoded>)
    case joined(JoinedReader<Decoded>)
  }

  /// What of the section is lost, once ``next()`` has given nil; of an intact archive nothing is.
  var loss: SectionLoss? {
    switch source {
    case .part(let reader): reader.loss
    case .joined(let reader): reader.loss
    }
  }

  private let source: Source

  /// Nil where there is no such section.
  init?(
    _ id: UInt16, of streams: UnlockedStreams, map: @escaping @Sendable (RecordBlock) throws -> Decoded
  ) {
    if let joined = streams.joinedSection(id) {
      source = .joined(JoinedReader(joined, map: map))
    } else if let part = streams.locate(id) {
      source = .part(PartReader(part, map: map))
    } else {
      return nil
    }
  }

  /// The next decoded block, which may have no records; nil at the end, once the section's digest holds.
  ///
  /// - Throws: ``ArchiveError``, and what decoding throws.
  public func next() throws -> Decoded? {
    switch source {
    case .part(let reader): try reader.next()
    case .joined(let reader): try reader.next()
    }
  }
}
