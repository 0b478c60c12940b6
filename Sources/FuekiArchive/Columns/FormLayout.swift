internal import FuekiCompression

/// The positions of the parts of a block's column form, computed from a scan.
struct FormLayout {
  /// A column of the form, with the positions of its next length and its next value.
  struct Column {
    let key: UInt32
    let wireType: FieldTag.WireType
    var bytes = 0
    var lengthBytes = 0
    var length = 0
    var value = 0

    init(key: UInt32) {
      self.key = key
      wireType = FieldTag.WireType(rawValue: key & 7) ?? .lengthDelimited
    }
  }

  /// The columns by number, including those used only by records that turned out to be raw.
  private var columns: [Column]
  /// The tags of each shape.
  private let shapes: [[UInt32]]
  let byteCount: Int

  init(_ scan: FieldScan) {
    var columns = scan.tree.columns.map(Column.init)
    for node in scan.nodes[..<scan.tree.nodeCount] {
      columns[Int(node.column)].bytes += Int(node.bytes)
      columns[Int(node.column)].lengthBytes += Int(node.lengthBytes)
    }
    var position = 4 + 2
    shapes = scan.tree.shapes.map { scan.tags(endingAt: Int($0)) }
    for tags in shapes {
      position += 2
      for tag in tags { position += Varint.width(of: UInt64(tag)) }
    }
    position += 2 * scan.shapes.count
    // A column without values belongs to records that turned out to be raw.
    let used = columns.indices.dropFirst().filter { columns[$0].bytes + columns[$0].lengthBytes > 0 }
    for index in [0] + used.sorted(by: { columns[$0].key < columns[$1].key }) {
      if columns[index].wireType.hasByteLength { position += 4 }
      columns[index].length = position
      columns[index].value = position + columns[index].lengthBytes
      position = columns[index].value + columns[index].bytes
    }
    self.columns = columns
    byteCount = position
  }

  /// Writes the shapes, the records' shape numbers, and the columns' lengths in bytes.
  func writeHead(_ numbers: Span<UInt16>, to form: inout MutableSpan<UInt8>) {
    var position = 0
    form.write(littleEndian: UInt32(numbers.count), at: &position)
    form.write(littleEndian: UInt16(shapes.count), at: &position)
    for tags in shapes {
      form.write(littleEndian: UInt16(tags.count), at: &position)
      for tag in tags { Varint.write(UInt64(tag), to: &form, at: &position) }
    }
    for index in numbers.indices { form.write(littleEndian: numbers[index], at: &position) }
    for column in columns where column.length > 0 && column.wireType.hasByteLength {
      var position = column.length - 4
      let isVarint = column.wireType == .varint
      form.write(littleEndian: UInt32(isVarint ? column.bytes : column.lengthBytes), at: &position)
    }
  }

  /// Copies each value to its position.
  mutating func scatter(
    _ fields: Span<FieldScan.Field>, of block: Span<UInt8>, to form: inout MutableSpan<UInt8>
  ) {
    var columns = columns.mutableSpan
    for index in fields.indices {
      let field = fields[index]
      let (column, count) = (Int(field.column), Int(field.count))
      if columns[column].wireType == .lengthDelimited {
        Varint.write(UInt64(count), to: &form, at: &columns[column].length)
      }
      form.copy(block, from: Int(field.start), count: count, to: columns[column].value)
      columns[column].value += count
    }
  }
}

extension MutableSpan<UInt8> {
  fileprivate mutating func write<I: FixedWidthInteger & UnsignedInteger>(
    littleEndian value: I, at position: inout Int
  ) {
    for place in 0..<I.bitWidth / 8 {
      self[position + place] = UInt8(truncatingIfNeeded: value >> (I(place) * 8))
    }
    position += I.bitWidth / 8
  }
}
