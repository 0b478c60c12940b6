internal import FuekiSystem

extension OpenArchive {
  /// Reads everything that is open: every tag, frame, record, digest and fill byte.
  ///
  /// - Parameters:
  ///   - judge: is given each record's section and message, on any thread; what it throws ends the work.
  ///   - progress: is told the section that is being read, for each block of it; what it throws ends the work.
  /// - Throws: ``ArchiveError`` for the first thing that does not hold, ``CryptoError`` where memory cannot be had, and
  ///   what `judge` and `progress` throw.
  public func checkContents(
    judging judge: @escaping @Sendable (UInt16, Span<UInt8>) throws -> Void = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    _ = try manifest()
    for section in sections {
      if ArchiveScope(sectionID: section.id) == .secrets {
        try readSecretSection(section.id) { try judge(section.id, $0) }
      } else {
        try readSection(section.id) { block in
          for message in block.messages { try judge(section.id, block.bytes.span.extracting(message)) }
        } body: { _ in
          try progress(section)
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
