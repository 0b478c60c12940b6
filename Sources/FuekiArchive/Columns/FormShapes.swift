/// The part of a form before its columns: the shapes, and the shape of each record.
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
  /// The position of the first column.
  let end: Int
  /// The tags of all shapes, concatenated.
  private(set) var tags: [Tag] = []
  /// The distinct keys of the tags, ascending: the columns after the first.
  private(set) var keys: [UInt32] = []
  /// The number of values in each column.
  ///
  /// The first column is for raw records.
  private(set) var counts: [Int] = []
  /// The start of each shape's tags in ``tags``, followed by the end of the last.
  private var starts: [Int32] = [0]
  private let numbersStart: Int

  init(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) {
    guard form.count >= 6 else { throw Malformed() }
    let shapeCount = Int(form.u16(at: 4))
    recordCount = Int(form.u32(at: 0))
    // Every shape and every record takes two of the bytes that follow.
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
        guard let key = Varint.read(form, at: &position, end: form.count), let tag = FieldTag(key)
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

  /// Returns the range of a shape's tags in ``tags``.
  @inline(__always)
  func tags(of shape: Int) -> Range<Int> { Int(starts[shape])..<Int(starts[shape + 1]) }

  /// Assigns a column to each tag, and counts each column's values.
  private mutating func countValues(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) {
    var uses = [Int](repeating: 0, count: starts.count - 1)
    for record in 0..<recordCount {
      let shape = shape(ofRecord: record, in: form)
      guard shape < uses.count else { throw Malformed() }
      uses[shape] += 1
    }
    // Each tag of a record yields at least two bytes of the plaintext.
    var values = 0
    for shape in uses.indices { values += uses[shape] * tags(of: shape).count }
    guard values <= plaintextBytes else { throw Malformed() }

    // Keys with their places in the low bits: one sort yields the columns and their uses.
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
