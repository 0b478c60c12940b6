internal import FuekiSystem

extension OpenArchive {
  /// Reads everything that is open: every tag, frame, record, digest and fill byte.
  ///
  /// - Parameter progress: is told the section that was just read; what it throws ends the work.
  /// - Throws: ``ArchiveError`` for the first thing that does not hold, ``CryptoError`` where memory cannot be had, and
  ///   what `progress` throws.
  public func checkContents(progress: (SectionSummary) throws -> Void = { _ in }) throws {
    _ = try manifest()
    for section in sections {
      if ArchiveScope(sectionID: section.id) == .secrets {
        try readSecretSection(section.id) { _ in }
      } else {
        try readSection(section.id) { _ in
        } body: { _ in
        }
      }
      try progress(section)
    }
    for scope in scopes { try checkFill(scope) }
  }

  /// Between a stream's blocks and its index there are only zeros.
  private func checkFill(_ scope: ArchiveScope) throws {
    guard let stream = streams.opened[scope] else { return }
    let opening = stream.opening
    let end =
      opening.plaintextBytes
      - UInt64(StreamIndex.byteCount(stream.index.sections) + StreamIndex.footerBytes)
    let workers = OrderedWorkers<Bool>(width: Processors.count, window: Processors.count + 1)
    var position = stream.index.storedBytes
    while position < end || !workers.isEmpty {
      while position < end, !workers.isFull {
        let range = position..<min(end, position + UInt64(ChunkSink.runBytes))
        workers.submit { try opening.read(range).allSatisfy { $0 == 0 } }
        position = range.upperBound
      }
      if let isZero = try workers.next(), !isZero { throw ArchiveError.forged(.fill(scope)) }
    }
  }
}
