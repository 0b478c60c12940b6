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
    try streams.checkAlone(judging: judge, progress: progress)
    try checkJoin(judging: judge, progress: progress)
  }

  /// Reads the base of a differential archive as ``checkContents(judging:progress:)`` reads an archive, and compares
  /// the history that the two make with what is announced: step 10 of fueki-archive(5), where its own file was checked.
  ///
  /// A full archive has nothing to join.
  public func checkJoin(
    judging judge: @escaping @Sendable (UInt16, Span<UInt8>) throws -> Void = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    guard let based = streams.based else { return }
    do {
      try based.base.checkAlone(judging: judge, progress: progress)
    } catch let error as ArchiveError { throw error.ofBase(based.reference) }
    for change in based.changes.sections {
      let section = SectionSummary(change, plaintextBytes: 0)
      // What the result has was judged with the file that it is in.
      let reader = SectionReader(change.section, of: streams) { _ in }
      while try reader?.next() != nil { try progress(section) }
    }
  }
}

extension UnlockedStreams {
  /// Reads everything that is open of one file: steps 8 and 9 of fueki-archive(5).
  func checkAlone(
    judging judge: @escaping @Sendable (UInt16, Span<UInt8>) throws -> Void,
    progress: (SectionSummary) throws -> Void
  ) throws {
    _ = try manifest()
    for section in ownSummaries {
      if ArchiveScope(sectionID: section.id) == .secrets {
        _ = try readSecretRecords(of: section.id) { try judge(section.id, $0) }
      } else if let part = locate(section.id) {
        let reader = PartReader(part) { block in
          for message in block.messages { try judge(section.id, block.bytes.span.extracting(message)) }
        }
        while try reader.next() != nil { try progress(section) }
      }
      try progress(section)
    }
    if opened[.history] != nil, archive.facts.base != nil { _ = try readChanges() }
    for scope in opened.keys.sorted() { try checkFill(scope) }
  }

  /// Between a stream's blocks and its index there are only zeros.
  private func checkFill(_ scope: ArchiveScope) throws {
    guard let stream = opened[scope] else { return }
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
