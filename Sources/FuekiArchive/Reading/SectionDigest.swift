internal import FuekiCrypto
internal import FuekiSystem

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
