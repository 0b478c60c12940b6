/// Reads a section's records block by block on demand: steps 8 and 9 of fueki-archive(5), and step 10 if
/// joined.
///
/// Workers open and decode blocks a few ahead of the caller. Returned records are confirmed only when
/// ``next()`` returns nil, because digests are compared at the section's end.
public final class SectionReader<Decoded: Sendable> {
  private enum Source {
    case part(PartReader<Decoded>)
    case joined(JoinedReader<Decoded>)
  }

  /// The section's loss, once ``next()`` has returned nil.
  ///
  /// Always nil for an intact archive.
  var loss: SectionLoss? {
    switch source {
    case .part(let reader): reader.loss
    case .joined(let reader): reader.loss
    }
  }

  private let source: Source

  /// Nil if there is no such section.
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

  /// Returns the next decoded block, possibly without records; nil at the end, after the section's digest
  /// matched.
  ///
  /// - Throws: ``ArchiveError``, and the errors of decoding.
  public func next() throws -> Decoded? {
    switch source {
    case .part(let reader): try reader.next()
    case .joined(let reader): try reader.next()
    }
  }
}
