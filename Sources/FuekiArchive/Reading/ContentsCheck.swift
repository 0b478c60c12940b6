public import FuekiCrypto
internal import FuekiSystem

extension OpenArchive {
  /// The manifest's record without fields 1, 2 and 3, after the scope digests in those fields were compared with
  /// the scopes that are open; nil where the profile is not.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` where a digest does not hold.
  public func manifest() throws -> (body: [UInt8], bundleChecksum: Digest)? {
    guard streams[.profile] != nil else { return nil }
    var record: [UInt8] = []
    try readSection(StreamIndex.manifestID) { block in
      block.messages.first.map { Array(block.bytes[$0]) } ?? []
    } body: {
      record = $0
    }
    guard let (digests, body) = ManifestRecord.decode(record) else { throw ArchiveError.forged(.manifest) }
    for scope in scopes {
      guard let stream = streams[scope] else { continue }
      let stated = digests[Int(scope.rawValue) - 1]
      guard try stream.opening.keys.scopeDigest(stream.index.sections) == stated else {
        throw ArchiveError.forged(.scopeDigest(scope))
      }
    }
    return (body, bundleChecksum(digests))
  }

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
    guard let stream = streams[scope] else { return }
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
