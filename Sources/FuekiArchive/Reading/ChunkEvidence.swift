/// The evidence for an archive's chunks before they are opened.
enum ChunkEvidence: Sendable {
  /// Every chunk matches the leaf root.
  case allWhole
  /// The leaf table matches the root, but these chunks, counted over all streams, do not match the table.
  case leaves(differing: [UInt64])
  /// The leaf table does not match the root either, so a chunk's tag is its only evidence.
  case tags
}

/// The evidence for one stream's chunks, counted within it.
enum StreamEvidence: Equatable, Sendable {
  case allWhole
  /// A chunk that differs is lost even if its tag verifies.
  ///
  /// A holder of one scope's key could have made it, while the other scopes' seals cover the table.
  case leaves(differing: Set<UInt64>)
  case tags

  /// Restricts the evidence to a stream, given its chunk numbers in the whole archive.
  init(_ evidence: ChunkEvidence, of chunks: Range<UInt64>) {
    self =
      switch evidence {
      case .allWhole: .allWhole
      case .leaves(let differing):
        .leaves(differing: Set(differing.filter(chunks.contains).map { $0 - chunks.lowerBound }))
      case .tags: .tags
      }
  }

  /// Whether an error in opening a chunk can be the result of damage.
  ///
  /// A chunk that matches the leaf table but does not open was written that way.
  func excuses(_ error: ArchiveError) -> Bool {
    guard self == .tags, case .forged(.chunkTag) = error else { return false }
    return true
  }
}
