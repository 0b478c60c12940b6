internal import FuekiArchive
internal import FuekiCrypto

/// A record's key in the table of a base: 16 bytes each of keyed hashes of its identity and its message.
///
/// Shorter hashes would eventually confuse a changed record with an unchanged one, unnoticed until a restore.
struct RecordKey: Hashable, Comparable, Sendable {
  let identity: UInt128
  let message: UInt128

  static let byteCount = 32

  static func < (a: RecordKey, b: RecordKey) -> Bool {
    a.identity == b.identity ? a.message < b.message : a.identity < b.identity
  }
}

/// Hashes records under a key that only this machine's state has: who puts text into the history cannot look for two
/// records that the table takes for one.
struct RecordKeying: Sendable {
  /// 32 random bytes.
  let secret: [UInt8]
  private let ids: SipHash
  private let digests: SipHash
  private let messages: SipHash

  static let secretByteCount = 32

  /// Draws a secret.
  init() { self.init(secret: RandomBytes.bytes(Self.secretByteCount)) }

  init(secret: [UInt8]) {
    self.secret = secret
    ids = Self.hash(for: "id", secret)
    digests = Self.hash(for: "no id", secret)
    messages = Self.hash(for: "message", secret)
  }

  // A hash with a key of its own for each use.
  private static func hash(for use: String, _ secret: [UInt8]) -> SipHash {
    SipHash(SHA256.hash(Array("fueki table \(use)".utf8), secret))
  }

  /// The key of a record with an identity in the table of its section.
  func key(of message: Span<UInt8>, _ identity: RecordIdentity) -> RecordKey {
    let half: UInt128
    switch identity {
    case .id(let range): half = ids.value(of: message.extracting(range))
    case .message(let digest):
      let bytes = digest.bytes
      half = digests.value(of: bytes.span)
    }
    return RecordKey(identity: half, message: messages.value(of: message))
  }

  /// The first half of the keys of all records with an identity, given as an archive has it.
  func key(ofIdentity identity: [UInt8]) -> UInt128 {
    let rest = Array(identity.dropFirst())
    return (identity.first == 0 ? ids : digests).value(of: rest.span)
  }
}

extension SipHash {
  fileprivate func value(of bytes: Span<UInt8>) -> UInt128 {
    let words = hash(bytes)
    return UInt128(words.second) << 64 | UInt128(words.first)
  }
}

/// A checksum of an unordered set of keys: their number, and the sums of their halves.
///
/// Two sets collide with a probability of 2^-128, unless an attacker knows the secret.
struct KeySum: Equatable, Sendable {
  private(set) var count: UInt64 = 0
  private var identities: UInt128 = 0
  private var messages: UInt128 = 0

  mutating func add(_ key: RecordKey) {
    count += 1
    identities &+= key.identity
    messages &+= key.message
  }

  mutating func add(_ other: KeySum) {
    count += other.count
    identities &+= other.identities
    messages &+= other.messages
  }
}

extension [RecordKey] {
  /// The place of the first key whose identity is not below another; the keys ascend.
  func firstPlace(ofIdentity identity: UInt128) -> Int {
    guard !isEmpty else { return 0 }
    // Hashes are evenly distributed, so the value predicts the place.
    let guess = Int(UInt64(truncatingIfNeeded: identity >> 64).multipliedFullWidth(by: UInt64(count)).high)
    var (low, high) = (guess, guess)
    var step = 64
    while low > 0, self[low - 1].identity >= identity {
      low = Swift.max(0, low - step)
      step *= 2
    }
    step = 64
    while high < count, self[high].identity < identity {
      high = Swift.min(count, high + step)
      step *= 2
    }
    return firstPlace(in: low..<high) { $0.identity >= identity }
  }

  /// The place of the first key from `start` that is not below another; the keys ascend.
  func firstPlace(of key: RecordKey, from start: Int) -> Int {
    guard start < count, self[start] < key else { return start }
    return firstPlace(in: start..<endOfIdentity(at: start)) { $0 >= key }
  }

  /// The place behind the last key with the identity of the one at `start`.
  func endOfIdentity(at start: Int) -> Int {
    let identity = self[start].identity
    return end(from: start) { $0.identity != identity }
  }

  /// The place behind the last key that equals the one at `start`.
  func endOfEqual(at start: Int) -> Int {
    let key = self[start]
    return end(from: start) { $0 != key }
  }

  /// Most have one of a kind; where there are many, they are not counted one by one.
  private func end(from start: Int, where isBeyond: (RecordKey) -> Bool) -> Int {
    var (low, high) = (start, start + 1)
    var step = 1
    while high < count, !isBeyond(self[high]) {
      low = high
      high = Swift.min(count, high + step)
      step *= 2
    }
    return firstPlace(in: low..<high, where: isBeyond)
  }

  /// The first place where something holds that goes on holding, or the end of the range.
  private func firstPlace(in range: Range<Int>, where holds: (RecordKey) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
