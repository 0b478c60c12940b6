package import FuekiBackup

/// Snappy's compressed blocks, as in LevelDB.
///
/// See the format's description, google/snappy, format_description.txt.
package enum Snappy {
  /// The number of output bytes between checks of the budget.
  private static let stepByteCount = 64 << 10

  /// Decompresses a block.
  ///
  /// - block: the compressed bytes.
  /// - limit: the maximum output in bytes.
  /// - work: the source's budget.
  /// - Returns: nil for invalid bytes, and for a block whose output would exceed the limit.
  /// - Throws: as ``WorkBudget/spend(_:on:)-(UInt64,_)``.
  package static func decompress(
    _ block: ArraySlice<UInt8>, limit: Int, work: WorkBudget
  ) throws -> [UInt8]? {
    var reader = LittleEndianReader(block)
    guard let count = reader.length(), count <= limit else { return nil }
    var output: [UInt8] = []
    // The block's stated size is not trusted for allocation.
    output.reserveCapacity(min(count, 64 * block.count))
    var paid = 0
    while !reader.isAtEnd {
      guard let tag = reader.take(1)?.first, append(tag, &reader, to: &output, count) else { return nil }
      if output.count - paid >= stepByteCount || reader.isAtEnd {
        try work.spend(output.count - paid, on: .bytesProduced)
        paid = output.count
      }
    }
    return output.count == count ? output : nil
  }

  private static func append(
    _ tag: UInt8, _ reader: inout LittleEndianReader, to output: inout [UInt8], _ total: Int
  ) -> Bool {
    let high = Int(tag >> 2)
    let (count, offset): (Int, Int)
    switch tag & 3 {
    case 0:
      let extra = high >= 60 ? reader.number(high - 59) : UInt64(high)
      guard let extra, extra < UInt64(total), let literal = reader.take(Int(extra) + 1),
        literal.count <= total - output.count
      else { return false }
      output += literal
      return true
    case 1:
      guard let low = reader.number(1) else { return false }
      (count, offset) = ((high & 7) + 4, (high >> 3) << 8 | Int(low))
    case 2:
      guard let far = reader.number(2) else { return false }
      (count, offset) = (high + 1, Int(far))
    default:
      guard let far = reader.number(4) else { return false }
      (count, offset) = (high + 1, Int(far))
    }
    guard 1...max(output.count, 1) ~= offset, offset <= output.count, count <= total - output.count else {
      return false
    }
    // The copied range may overlap the output of this copy.
    for _ in 0..<count { output.append(output[output.count - offset]) }
    return true
  }
}
