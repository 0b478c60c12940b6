internal import FuekiCrypto
internal import FuekiSystem

/// A test vector's archive with the edits of an input.
///
/// Mutations of a whole archive would nearly always hit a chunk, and rarely yield a valid digest. An input is
/// therefore one byte, which chooses the archive and the digests to repair, followed by edits. An edit is the
/// offset (3 bytes), the number of bytes to remove (3), the repetitions of the insertion (1), its length (1)
/// and its bytes.
struct EditedArchive {
  private static let names = ["all-slot-types", "everything", "signed", "many-chunks"]
  /// Read once, relative to the package's directory.
  private static let originals = names.map { name in
    (try? File.open("TestVectors/archives/\(name).fueki").readAll(limit: 1 << 20)) ?? []
  }

  private(set) var bytes: [UInt8]

  init?(_ input: [UInt8]) {
    guard let choice = input.first else { return nil }
    bytes = Self.originals[Int(choice & 3)]
    precondition(!bytes.isEmpty, "the test vectors are not here")
    var rest = input[1...]
    while rest.count >= 8 {
      let head = Array(rest.prefix(8)).map(Int.init)
      let (offset, removed) = (head[0] | head[1] << 8 | head[2] << 16, head[3] | head[4] << 8 | head[5] << 16)
      let inserted = rest.dropFirst(8).prefix(head[7])
      rest = rest.dropFirst(8 + head[7])
      let start = min(offset, bytes.count)
      let end = min(start + removed, bytes.count)
      bytes.replaceSubrange(start..<end, with: repeatElement(inserted, count: head[6]).joined())
    }
    if choice & 4 != 0 { repairHeader() }
    if choice & 8 != 0 { repairTrailer() }
  }

  /// Repairs the header's length, and the digest at the end of the header and of its copy.
  private mutating func repairHeader() {
    guard bytes.count >= 16, let length = headerByteCount else { return }
    let digest = SHA256.hash(bytes.span.extracting(0..<length - 32))
    bytes.replaceSubrange(length - 32..<length, with: digest.bytes)
    let copy = bytes.count - 256 - length
    guard copy >= length else { return }
    bytes.replaceSubrange(copy..<copy + length, with: Array(bytes[..<length]))
  }

  /// Repairs both trailers.
  ///
  /// The last one gets its header digest, leaves' root, archive digest and check. The first one is repaired at the
  /// offset that the counts imply.
  private mutating func repairTrailer() {
    guard bytes.count >= 256, let length = headerByteCount else { return }
    var trailer = Array(bytes.suffix(256))
    trailer.replaceSubrange(24..<56, with: Array(bytes[length - 32..<length]))
    let chunks = (0..<3).reduce(0) { sum, stream in sum + Int(trailer[8 * stream]) }
    let first = length + chunks * 16_400
    if first + 256 + 32 * chunks <= bytes.count {
      for chunk in 0..<chunks {
        let start = length + chunk * 16_400
        let number: [UInt8] = [0, UInt8(truncatingIfNeeded: chunk), UInt8(truncatingIfNeeded: chunk >> 8)]
        let leaf = SHA256.hash(number + [0, 0, 0, 0, 0, 0], Array(bytes[start..<start + 16_400]))
        let place = first + 256 + 32 * chunk
        bytes.replaceSubrange(place..<place + 32, with: leaf.bytes)
      }
      let table = Array(bytes[first + 256..<first + 256 + 32 * chunks])
      trailer.replaceSubrange(56..<88, with: SHA256.hash(Array("fueki/1 leaves".utf8), table).bytes)
    }
    let digest = SHA256.hash(Array("fueki/1 archive".utf8), Array(trailer[..<88]))
    trailer.replaceSubrange(88..<120, with: digest.bytes)
    let check = SHA256.hash(Array("fueki/1 trailer".utf8), Array(trailer[..<240]))
    trailer.replaceSubrange(240..<248, with: check.bytes.prefix(8))
    bytes.replaceSubrange(bytes.count - 256..<bytes.count, with: trailer)
    if first + 256 <= bytes.count { bytes.replaceSubrange(first..<first + 256, with: trailer) }
  }

  private var headerByteCount: Int? {
    guard bytes.count >= 16 else { return nil }
    let length = (12..<16).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) } + 48
    return length <= bytes.count ? length : nil
  }
}
