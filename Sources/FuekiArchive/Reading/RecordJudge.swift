internal import FuekiSystem

/// Receives a record's section and message, on any thread.
///
/// An error thrown by it ends the work.
public typealias RecordJudge = @Sendable (UInt16, Span<UInt8>) throws -> Void

extension OpenArchive {
  /// Reads everything that is open: every tag, frame, record, digest and fill byte.
  ///
  /// - Parameters:
  ///   - judge: receives each record's section and message, on any thread; an error thrown by it ends the
  ///     work.
  ///   - progress: receives the section being read, for each of its blocks; an error thrown by it ends the
  ///     work.
  /// - Throws: ``ArchiveError`` for the first fault, ``CryptoError`` if memory is unavailable, and the errors
  ///   of `judge` and `progress`.
  public func checkContents(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    try streams.checkAlone(judging: judge, progress: progress)
    try checkJoin(judging: judge, progress: progress)
  }

  /// Reads a differential archive's base and checks the joined history: step 10 of fueki-archive(5).
  ///
  /// The base is read once, as ``checkContents(judging:progress:)`` reads an archive. The archive's own file
  /// must have been checked. A full archive has nothing to join.
  public func checkJoin(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    guard let based = streams.based else { return }
    // Faults of the base itself take precedence over faults of the result.
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
        // The base's part may not have been read completely.
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
  /// Checks all open contents of one file, except sections read by the caller: steps 8 and 9 of
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

  /// Checks that there are only zeros between a stream's blocks and its index.
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
