import FuekiArchive
import FuekiCrypto
import TestSupport
import Testing

@Suite struct EncodingTests {
  /// Those whose header is whole.
  private static let readVectors = Vector.all.filter {
    $0.facts.depth == .contents && $0.facts.verdict != "damaged"
  }

  /// Returns the fields of an archive's header.
  private func fields(of bytes: [UInt8]) -> [UInt8] {
    let length = (12..<16).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
    return Array(bytes[16..<16 + length])
  }

  private func slots(of bytes: [UInt8]) throws -> [UInt8] {
    var reader = ByteReader(fields(of: bytes))
    let fields = try RawField.all(in: &reader)
    let encoded = try #require(fields.map(\.encoded).first { $0.starts(with: [0x08, 0x80]) })
    return Array(encoded.dropFirst(6))
  }

  @Test(arguments: readVectors) func `a header decodes to what encodes to it`(_ vector: Vector) throws {
    let bytes = try vector.bytes()
    var reader = ByteReader(fields(of: bytes))
    #expect(try RawField.all(in: &reader).flatMap(\.encoded) == fields(of: bytes))
    let slots = try Slot.decodeAll(slots(of: bytes))
    guard slots.allSatisfy(\.type.isKnown) else { return }
    #expect(try slots.flatMap(\.encoded) == self.slots(of: bytes))
  }

  @Test func `altered fields are refused or encode to themselves`() throws {
    let original = fields(of: try Vector.named("all-slot-types").bytes())
    try alter(original, seed: 11) { bytes in
      var reader = ByteReader(bytes)
      return try RawField.all(in: &reader).flatMap(\.encoded)
    }
  }

  @Test func `altered slots are refused or encode to themselves`() throws {
    let original = try slots(of: try Vector.named("all-slot-types").bytes())
    try alter(original, seed: 12) { bytes in
      let slots = try Slot.decodeAll(bytes)
      return slots.allSatisfy(\.type.isKnown) ? slots.flatMap(\.encoded) : bytes
    }
  }

  @Test func `an altered index is refused or encodes to itself`() throws {
    let blocks: [UInt8] = [1, 5, 0, 0, 0, 9, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0]
    let section: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 1, count: 32)
    let original =
      [2, 0, 32, 0] + section + [2, 0, 0, 0] + blocks + [40, 0] + section + [2, 0, 0, 0] + blocks
    #expect(try StreamIndex.encode(StreamIndex(decoding: original, of: .history).sections) == original)
    try alter(original, seed: 13) { bytes in
      StreamIndex.encode(try StreamIndex(decoding: bytes, of: .history).sections)
    }
  }

  /// Changes, truncates and extends `original` in many ways.
  ///
  /// Whatever decodes must encode to the same bytes.
  private func alter(_ original: [UInt8], seed: UInt64, _ recode: ([UInt8]) throws -> [UInt8]) throws {
    var generator = random(seed)
    var accepted = 0
    for round in 0..<4000 {
      var bytes = original
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch round % 4 {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        }
      }
      guard let recoded = try? recode(bytes) else { continue }
      accepted += 1
      #expect(recoded == bytes)
    }
    #expect(accepted > 0)
  }
}
