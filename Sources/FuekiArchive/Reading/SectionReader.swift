internal import FuekiCrypto
internal import FuekiSystem

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

/// A section within one file: the positions of its blocks, and how to open them.
struct SectionPart: Sendable {
  let opening: StreamOpening
  let section: StreamIndex.Section
  /// The offset of its blocks in its stream.
  let offset: UInt64
}

extension SectionPart {
  /// Finds a section in a stream's index; nil if it is missing.
  init?(_ id: UInt16, of index: StreamIndex, opening: StreamOpening) {
    var offset: UInt64 = 0
    for section in index.sections {
      guard section.id != id else {
        self.init(opening: opening, section: section, offset: offset)
        return
      }
      offset += section.storedBytes
    }
    return nil
  }
}

/// Reads a section's records from one file, block by block: steps 8 and 9 of fueki-archive(5), for one
/// section.
///
/// Workers open and decode blocks a few ahead of the caller. Returned records are confirmed only when
/// ``next()`` returns nil, because the section's digest is compared at its end.
final class PartReader<Decoded: Sendable> {
  /// One block as a worker read it.
  private enum Block: Sendable {
    case kept(StreamIndex.Block, [UInt8], messages: Int, Decoded)
    case lost(StreamIndex.Block)
  }

  /// The section's loss, once ``next()`` has returned nil.
  ///
  /// Always nil for an intact archive.
  private(set) var loss: SectionLoss?
  private let part: SectionPart
  private let map: @Sendable (RecordBlock) throws -> Decoded
  private let workers = OrderedWorkers<[Block]>(width: Processors.count, window: Processors.count + 1)
  private var groups: BlockGroups
  private var hasMoreGroups = true
  private var ready: ArraySlice<Block> = []
  private let digest: SectionDigest
  private var tally = LossTally()

  init(_ part: SectionPart, map: @escaping @Sendable (RecordBlock) throws -> Decoded) {
    self.part = part
    self.map = map
    digest = SectionDigest(of: part.section)
    groups = BlockGroups(part.section.blocks, at: part.offset, apart: part.opening.isDamaged)
  }

  /// Returns the next decoded block; nil at the end, after the section's digest matched.
  ///
  /// - Throws: ``ArchiveError``, and the errors of decoding.
  func next() throws -> Decoded? {
    while true {
      guard let block = ready.popFirst() else {
        submitGroups()
        guard let blocks = try workers.next() else {
          if let digest = try digest.finish() { loss = try tally.loss(of: part.section, digest) }
          return nil
        }
        ready = blocks[...]
        continue
      }
      switch block {
      case .kept(let stated, let plaintext, let messages, let decoded):
        try digest.update(plaintext)
        tally.keep(records: messages, of: stated)
        return decoded
      case .lost(let stated): tally.lose(stated)
      }
    }
  }

  private func submitGroups() {
    while hasMoreGroups, !workers.isFull {
      guard let group = groups.next() else {
        hasMoreGroups = false
        return
      }
      workers.submit { [opening = part.opening, map, id = part.section.id] in
        guard let plaintexts = try opening.decode(group, section: id) else {
          return group.blocks.map(Block.lost)
        }
        return try zip(group.blocks, plaintexts).map { stated, plaintext in
          let block = try RecordBlock(plaintext, section: id)
          return .kept(stated, plaintext, messages: block.messages.count, try map(block))
        }
      }
    }
  }
}

/// Complete records of one section, authenticated and decoded, but not yet confirmed by the section's digest.
public struct RecordBlock: Sendable {
  /// The framed records.
  public let bytes: [UInt8]
  /// The range of each record's message in ``bytes``, without its length prefix.
  public let messages: [Range<Int>]

  /// Creates a block from records at known positions.
  package init(bytes: [UInt8], messages: [Range<Int>]) {
    self.bytes = bytes
    self.messages = messages
  }

  /// Splits a block into records of varint length ‖ message.
  ///
  /// Only a single record may exceed 1 MiB.
  package init(_ bytes: [UInt8], section: UInt16) throws(ArchiveError) {
    self.bytes = bytes
    messages = try Self.cut(bytes.span, section: section)
  }

  /// Returns the block with a subset of its records.
  package func keeping(where isKept: (Span<UInt8>) throws -> Bool) rethrows -> RecordBlock {
    let span = bytes.span
    return RecordBlock(bytes: bytes, messages: try messages.filter { try isKept(span.extracting($0)) })
  }

  /// Returns the ranges of the messages of framed records.
  package static func cut(_ bytes: Span<UInt8>, section: UInt16) throws(ArchiveError) -> [Range<Int>] {
    var messages: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      let message = try messageRange(bytes, at: position, section: section)
      messages.append(message)
      position = message.upperBound
    }
    guard bytes.count <= Limits.blockBytes || messages.count == 1 else {
      throw .forged(.records(section: section))
    }
    return messages
  }

  private static func messageRange(
    _ bytes: Span<UInt8>, at start: Int, section: UInt16
  ) throws(ArchiveError) -> Range<Int> {
    var first = start
    guard let length = Varint.read(bytes, at: &first, end: bytes.count) else {
      throw .forged(.records(section: section))
    }
    guard length <= UInt64(Limits.recordBytes - (first - start)) else { throw .overLimit(.recordLength) }
    guard Int(length) <= bytes.count - first else { throw .forged(.records(section: section)) }
    return first..<first + Int(length)
  }
}

/// A section's digest, hashed on a thread of its own if the section is large.
///
/// A restore is bound by the thread that reads blocks, and inserts their records.
final class SectionDigest {
  private final class State: Sendable {
    let hash = Locked<SHA256?>(SHA256())

    func update(_ plaintext: [UInt8]) {
      hash.withLock { hash in
        if var current = hash.take() {
          current.update(plaintext)
          hash = consume current
        }
      }
    }
  }

  /// Below this, a thread takes longer to start than to hash.
  private static let largeBytes: UInt64 = 4 << 20
  /// The number of blocks that may wait to be hashed.
  private static let window = 4

  private let state = State()
  private let worker: OrderedWorkers<Void>?

  init(of section: StreamIndex.Section) {
    let isLarge = section.plaintextBytes >= Self.largeBytes
    worker = isLarge ? OrderedWorkers(width: 1, window: Self.window) : nil
  }

  /// Adds the next block.
  func update(_ plaintext: [UInt8]) throws {
    guard let worker else { return state.update(plaintext) }
    if worker.isFull { _ = try worker.next() }
    worker.submit { [state] in state.update(plaintext) }
  }

  /// Returns the digest of all blocks; nil after the first call.
  func finish() throws -> Digest? {
    if let worker {
      while try worker.next() != nil {}
    }
    return state.hash.withLock { hash in
      guard let whole = hash.take() else { return nil }
      return whole.finalize()
    }
  }
}
