internal import CSodium
internal import Glibc

/// Memory for secrets: regions of locked memory with guard pages round each.
///
/// Linux grants a process 65,530 mappings by default, and libsodium makes several for each region. So secrets of about one
/// size share regions, and only large ones have their own: 100,000 secrets of 500 bytes take 51 regions.
///
/// Safe, and unchecked, because the regions are used under the lock alone, and a place has one secret at a time. The lock
/// is one of POSIX, because the standard library's does not survive `fork`; programs fork while they have one thread.
@safe final class SecretArena: @unchecked Sendable {
  static let shared = SecretArena()

  /// The size in bytes of the smallest place, which is enough for a key.
  private static let smallest = 32
  /// The size in bytes of the largest place that is shared: larger secrets are few.
  private static let largest = 256 << 10
  /// The sizes in bytes of a kind's first region, which is one page like that of a single secret, and of its last ones.
  private static let regionSizes = (first: 4096, last: 1 << 20)
  /// The size in bytes of what libsodium keeps before each region, in the same page.
  private static let canary = 16

  private struct Region {
    let start: UInt
    let byteCount: Int
    /// The offsets of the places that nothing is in.
    var free: [Int]
  }

  /// The regions by the size of their places.
  private var regions: [Int: [Region]] = [:]
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  private init() { unsafe pthread_mutex_init(lock, nil) }

  private func locked<Answer>(_ body: () -> Answer) -> Answer {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body()
  }

  /// Returns memory for a secret, whose bytes are undefined.
  func take(_ count: Int) throws(CryptoError) -> UnsafeMutableRawPointer {
    guard let size = Self.placeSize(count) else {
      guard let start = unsafe Self.region(count) else { throw .outOfMemory }
      return unsafe start
    }
    let address = locked { () -> UInt? in
      var those = regions[size] ?? []
      defer { regions[size] = those }
      regions[size] = nil
      if let index = those.lastIndex(where: { !$0.free.isEmpty }), let offset = those[index].free.popLast() {
        return those[index].start + UInt(offset)
      }
      let wanted = min(Self.regionSizes.last, Self.regionSizes.first << min(those.count, 8))
      let byteCount = max(1, (wanted - Self.canary) / size) * size
      guard let start = unsafe Self.region(byteCount) else { return nil }
      let address = UInt(bitPattern: start)
      let others = Array(stride(from: byteCount - size, to: 0, by: -size))
      those.append(Region(start: address, byteCount: byteCount, free: others))
      return address
    }
    guard let address, let place = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      throw .outOfMemory
    }
    return unsafe place
  }

  /// Wipes a secret's memory, and gives it up.
  func give(back place: UnsafeMutableRawPointer, _ count: Int) {
    guard let size = Self.placeSize(count) else {
      unsafe sodium_free(place)
      return
    }
    unsafe sodium_memzero(place, count)
    let address = UInt(bitPattern: place)
    let unused = locked { () -> UInt? in
      var those = regions[size] ?? []
      defer { regions[size] = those }
      regions[size] = nil
      let found = those.lastIndex { $0.start <= address && address - $0.start < UInt($0.byteCount) }
      guard let index = found else { return nil }
      those[index].free.append(Int(address - those[index].start))
      // One small region stays, since keys come and go.
      let stays = those.count == 1 && those[index].byteCount <= Self.regionSizes.first
      guard those[index].free.count * size == those[index].byteCount, !stays else { return nil }
      return those.remove(at: index).start
    }
    if let unused, let start = unsafe UnsafeMutableRawPointer(bitPattern: unused) {
      unsafe sodium_free(start)
    }
  }

  /// Returns the size of a place for a secret; nil if the secret has a region of its own.
  private static func placeSize(_ count: Int) -> Int? {
    guard count <= largest else { return nil }
    return max(smallest, 1 << (Int.bitWidth - max(0, count - 1).leadingZeroBitCount))
  }

  private static func region(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let start = unsafe sodium_malloc(byteCount) else { return nil }
    // sodium_malloc ignores a failed mlock, so lock again to detect it.
    if unsafe sodium_mlock(start, byteCount) != 0 { SecretBytes.noteLockRefusal() }
    return unsafe start
  }
}
