internal import FuekiSystem

/// Is given a record's section and message, on any thread; what it throws ends the work.
public typealias RecordJudge = @Sendable (UInt16, Span<UInt8>) throws -> Void

extension OpenArchive {
  /// Reads everything that is open: every tag, frame, record, digest and fill byte.
  ///
  /// - Parameters:
  ///   - judge: is given each record's section and message, on any thread; what it throws ends the work.
  ///   - progress: is told the section that is being read, for each block of it; what it throws ends the work.
  /// - Throws: ``ArchiveError`` for the first thing that does not hold, ``CryptoError`` where memory cannot be had, and
  ///   what `judge` and `progress` throw.
  public func checkContents(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    try streams.checkAlone(judging: judge, progress: progress)
    try checkJoin(judging: judge, progress: progress)
  }

  /// Reads the base of a differential archive, once, as ``checkContents(judging:progress:)`` reads an archive, and
  /// compares the history that the two make with what is announced: step 10 of fueki-archive(5), where its own file
  /// was checked.
  ///
  /// A full archive has nothing to join.
  public func checkJoin(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    guard let based = streams.based else { return }
    // What is wrong with the base by itself comes before what the two come to.
    var faults: [UInt16: ArchiveError] = [:]
    func readsJoined(_ id: UInt16) throws -> Bool {
      guard let section = streams.joinedSection(id) else { return false }
      let summary = SectionSummary(section.change, plaintextBytes: 0)
      let reader = JoinedReader(section, judgingBase: judge) { _ in }
      do {
        while try reader.next() != nil { try progress(summary) }
        return true
      } catch let error as ArchiveError {
        if case .inBase = error { throw error }
        faults[id] = error
        // The base's part may not have been read to its end.
        return false
      }
    }
    do {
      try based.base.checkAlone(judging: judge, progress: progress, unless: readsJoined)
    } catch let error as ArchiveError { throw error.ofBase(based.reference) }
    for change in based.changes.sections where based.base.locate(change.section) == nil {
      _ = try readsJoined(change.section)
    }
    if let first = faults.min(by: { $0.key < $1.key }) { throw first.value }
  }
}

extension UnlockedStreams {
  /// Reads everything that is open of one file, but for sections that are read otherwise: steps 8 and 9 of
  /// fueki-archive(5).
  func checkAlone(
    judging judge: @escaping RecordJudge, progress: (SectionSummary) throws -> Void,
    unless isRead: (UInt16) throws -> Bool = { _ in false }
  ) throws {
    _ = try manifest()
    for section in ownSummaries {
      if ArchiveScope(sectionID: section.id) == .secrets {
        _ = try readSecretRecords(of: section.id) { try judge(section.id, $0) }
      } else if try !isRead(section.id), let part = locate(section.id) {
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
