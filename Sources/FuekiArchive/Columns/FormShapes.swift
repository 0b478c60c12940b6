/// What stands before a form's columns: its shapes, and the shape of each record.
struct FormShapes {
  typealias Malformed = ColumnFormReader.Malformed

  /// A tag of a shape.
  struct Tag {
    let key: UInt32
    let wireType: FieldTag.WireType
    /// The column of its values, once the columns are known.
    var column: Int32 = 0
  }

  let recordCount: Int
  /// Where the columns begin.
  let end: Int
  /// The tags of all shapes, one shape after another.
  private(set) var tags: [Tag] = []
  /// The keys of the tags, each once, ascending: those of the columns but the first.
  private(set) var keys: [UInt32] = []
  /// How many values each column has; the first is that of raw records.
  private(set) var counts: [Int] = []
  /// Where each shape's tags begin in ``tags``, and where the last one's end.
  private var starts: [Int32] = [0]
  private let numbersStart: Int

  init(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) {
    guard form.count >= 6 else { throw Malformed() }
    let shapeCount = Int(form.u16(at: 4))
    recordCount = Int(form.u32(at: 0))
    // Every shape and every record takes two bytes of what follows.
    guard recordCount >= 1, recordCount <= plaintextBytes, 1...ColumnLimits.shapes ~= shapeCount,
      recordCount + shapeCount <= (form.count - 6) / 2
    else { throw Malformed() }
    var position = 6
    for shape in 0..<shapeCount {
      guard form.count - position >= 2 else { throw Malformed() }
      let tagCount = Int(form.u16(at: position))
      position += 2
      guard tagCount <= (shape == 0 ? 0 : ColumnLimits.tagsPerShape), tagCount <= form.count - position else {
        throw Malformed()
      }
      for _ in 0..<tagCount {
        guard let key = MinimalVarint.read(form, at: &position, end: form.count), let tag = FieldTag(key)
        else { throw Malformed() }
        tags.append(Tag(key: tag.rawValue, wireType: tag.wireType))
      }
      starts.append(Int32(tags.count))
    }
    guard recordCount <= (form.count - position) / 2 else { throw Malformed() }
    numbersStart = position
    end = position + 2 * recordCount
    try countValues(form, plaintextBytes: plaintextBytes)
  }

  @inline(__always)
  func shape(ofRecord record: Int, in form: Span<UInt8>) -> Int {
    Int(form.u16(at: numbersStart + 2 * record))
  }

  /// Where a shape's tags lie in ``tags``.
  @inline(__always)
  func tags(of shape: Int) -> Range<Int> { Int(starts[shape])..<Int(starts[shape + 1]) }

  /// Gives each tag its column, and each column the number of its values.
  private mutating func countValues(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) {
    var uses = [Int](repeating: 0, count: starts.count - 1)
    for record in 0..<recordCount {
      let shape = shape(ofRecord: record, in: form)
      guard shape < uses.count else { throw Malformed() }
      uses[shape] += 1
    }
    // Each tag of a record makes two bytes of the plaintext, at least.
    var values = 0
    for shape in uses.indices { values += uses[shape] * tags(of: shape).count }
    guard values <= plaintextBytes else { throw Malformed() }

    // By key, with the place behind it: one sort gives the columns and where they are used.
    var sorted = tags.indices.map { UInt64(tags[$0].key) << 32 | UInt64($0) }
    sorted.sort()
    for entry in sorted {
      let key = UInt32(truncatingIfNeeded: entry >> 32)
      if keys.last != key { keys.append(key) }
      tags[Int(entry & 0xFFFF_FFFF)].column = Int32(keys.count)
    }
    counts = [Int](repeating: 0, count: keys.count + 1)
    counts[0] = uses[0]
    for shape in uses.indices {
      for tag in tags(of: shape) { counts[Int(tags[tag].column)] += uses[shape] }
    }
  }
}

extension Span<UInt8> {
  @inline(__always)
  func u16(at start: Int) -> UInt16 { UInt16(self[start]) | UInt16(self[start + 1]) << 8 }

  @inline(__always)
  func u32(at start: Int) -> UInt32 { UInt32(u16(at: start)) | UInt32(u16(at: start + 2)) << 16 }
}
