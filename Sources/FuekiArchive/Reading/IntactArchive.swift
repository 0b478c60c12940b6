public import FuekiCrypto
internal import FuekiSystem

/// An archive whose every byte was verified: step 3 of fueki-archive(5).
///
/// Verification needs no key. Only ``StoredArchive/verify(trusting:progress:)`` creates one.
public struct IntactArchive: Sendable {
  let stored: StoredArchive

  /// The archive's digest, computed from its bytes.
  public var digest: Digest { stored.trailer.archiveDigest }
  /// The header's facts.
  public var facts: HeaderFacts { stored.facts }
  /// The archive before verification.
  public var source: StoredArchive { stored }

  fileprivate init(_ stored: StoredArchive) { self.stored = stored }
}

/// The result of reading every byte without a key.
public struct ChecksumReport: Sendable {
  /// All damage, including damage to copies.
  public let damage: [ArchiveError.Damage]
  /// The archive if its chunks and digests match.
  ///
  /// Any damage is then to copies only.
  public let intact: IntactArchive?
  /// The archive if they do not match.
  ///
  /// Its intact parts can be salvaged.
  public let damaged: DamagedArchive?
}

extension StoredArchive {
  /// Reads every byte, without a key, on all cores.
  ///
  /// - Parameters:
  ///   - trusted: acceptable signers' public keys; nil to accept any or no signer.
  ///   - progress: receives the bytes read so far; an error thrown by it ends the work.
  /// - Returns: all damage, and the intact archive if none of it affects readers.
  /// - Throws: ``ArchiveError`` if a signature is invalid or not trusted, or the file cannot be read. Damage
  ///   is reported, not thrown.
  public func verify(
    trusting trusted: Set<Ed25519.PublicKey>? = nil, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> ChecksumReport {
    var damage = structuralDamage
    try file.gather(progress: progress)
    let chunks = try chunkDamage(progress: progress)
    damage += chunks.damage
    if trailer.computedDigest != trailer.archiveDigest { damage.append(.archiveDigest) }
    guard !damage.contains(where: \.stopsReader) else {
      let damaged = DamagedArchive(self, chunks.evidence, trusting: trusted)
      return ChecksumReport(damage: damage, intact: nil, damaged: damaged)
    }
    try checkSignature(over: trailer.archiveDigest, trusting: trusted)
    return ChecksumReport(damage: damage, intact: IntactArchive(self), damaged: nil)
  }

  func checkSignature(over digest: Digest, trusting trusted: Set<Ed25519.PublicKey>?) throws(ArchiveError) {
    guard let signer = facts.signer else {
      guard trusted == nil else { throw .untrusted(.unsigned) }
      guard trailer.signature.allSatisfy({ $0 == 0 }) else { throw .forged(.signature) }
      return
    }
    if let trusted, !trusted.contains(signer) { throw .untrusted(.another) }
    guard trailer.isSigned(by: signer, over: digest, coveringSeals: facts.signatureCoversSeals) else {
      throw trusted == nil ? .forged(.signature) : .untrusted(.signatureFails)
    }
  }

  /// Compares every chunk with the leaf table, and the table with its root.
  ///
  /// If the chunks match the root, the damage is in the table itself.
  private func chunkDamage(
    progress: (UInt64) throws -> Void
  ) throws -> (damage: [ArchiveError.Damage], evidence: ChunkEvidence) {
    let workers = OrderedWorkers<[UInt8]>(width: Processors.count, window: Processors.count + 1)
    let count = layout.chunkCount
    let step = UInt64(ChunkSink.runChunks)
    var table = SHA256()
    var computed = SHA256()
    table.update(.label("fueki/1 leaves"))
    computed.update(.label("fueki/1 leaves"))
    var differing: [UInt64] = []
    var submitted: UInt64 = 0
    var checked: UInt64 = 0
    while checked < count {
      while submitted < count, !workers.isFull {
        let start = submitted
        let length = min(step, count - start)
        workers.submit { try self.leaves(of: start, count: length) }
        submitted += length
      }
      guard let leaves = try workers.next() else { break }
      let stated = try file.read(
        leaves.count, at: layout.leafTableOffset + checked * UInt64(Layout.leafBytes))
      table.update(stated)
      computed.update(leaves)
      if stated != leaves {
        for i in 0..<leaves.count / Layout.leafBytes {
          let range = i * Layout.leafBytes..<(i + 1) * Layout.leafBytes
          let isShort = stated.count < range.upperBound
          if isShort || stated[range] != leaves[range] { differing.append(checked + UInt64(i)) }
        }
      }
      checked += UInt64(leaves.count / Layout.leafBytes)
      try progress(checked * UInt64(Limits.chunkBytes))
    }
    let chunksHold = computed.finalize() == trailer.leafRoot
    let tableHolds = table.finalize() == trailer.leafRoot
    guard !chunksHold else { return (differing.map { place($0, in: ArchiveError.Damage.leaf) }, .allWhole) }
    let chunks = differing.map { place($0, in: ArchiveError.Damage.chunk) }
    return tableHolds ? (chunks, .leaves(differing: differing)) : (chunks + [.leafRoot], .tags)
  }

  private func place(
    _ chunk: UInt64, in kind: (ArchiveScope, UInt64) -> ArchiveError.Damage
  ) -> ArchiveError.Damage {
    let (stream, number) = layout.place(ofChunk: chunk)
    return kind(stream, number)
  }

  /// Returns the leaves of `count` chunks from `start`, computed from the chunks.
  private func leaves(of start: UInt64, count: UInt64) throws(ArchiveError) -> [UInt8] {
    let bytes = try file.read(Int(count) * Limits.chunkBytes, at: layout.offset(ofChunk: start))
    var leaves: [UInt8] = []
    leaves.reserveCapacity(Int(count) * Layout.leafBytes)
    for i in 0..<Int(count) {
      let begin = min(i * Limits.chunkBytes, bytes.count)
      let end = min(begin + Limits.chunkBytes, bytes.count)
      leaves += SHA256.leaf(index: start + UInt64(i), chunk: bytes.span.extracting(begin..<end)).bytes
    }
    return leaves
  }
}
