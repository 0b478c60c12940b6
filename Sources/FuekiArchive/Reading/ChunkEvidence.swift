/// What is known of an archive's chunks before any of them is opened.
enum ChunkEvidence: Sendable {
  /// Every chunk's digest leads to the leaf root.
  case allWhole
  /// The leaf table gives the root; these chunks, counted over all streams, are not those of the table.
  case leaves(differing: [UInt64])
  /// The leaf table does not give the root either: nothing but its tag speaks for a chunk.
  case tags
}

/// What is known of one stream's chunks, which are counted within it.
enum StreamEvidence: Equatable, Sendable {
  case allWhole
  /// A chunk that differs is lost even where its tag holds: the holder of one scope's key could have made it, and the
  /// others' seals are over the table.
  case leaves(differing: Set<UInt64>)
  case tags

  /// Takes what concerns the stream whose chunks have these numbers in the whole archive.
  init(_ evidence: ChunkEvidence, of chunks: Range<UInt64>) {
    self =
      switch evidence {
      case .allWhole: .allWhole
      case .leaves(let differing):
        .leaves(differing: Set(differing.filter(chunks.contains).map { $0 - chunks.lowerBound }))
      case .tags: .tags
      }
  }

  /// Whether an error while a chunk is opened may be what damage does.
  ///
  /// A chunk that the leaf table speaks for and that does not open was made so.
  func excuses(_ error: ArchiveError) -> Bool {
    guard self == .tags, case .forged(.chunkTag) = error else { return false }
    return true
  }
}
