/// A zstd frame built rule by rule (RFC 8878 section 3.1.1), so that each rule can be broken alone.
struct FrameRecipe {
  var magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  var isSingleSegment = true
  /// Exponent and mantissa; only in frames that are not single-segment.
  var window: UInt8 = 0
  /// 0, 1, 2 or 4 bytes.
  var dictionaryID: [UInt8] = []
  /// 0 (1 in a single segment), 2, 4 or 8 bytes.
  var contentSize: [UInt8] = []
  var reservedBits: UInt8 = 0
  var hasChecksum = false
  var blocks: [[UInt8]] = []
  var checksum: [UInt8] = []

  /// A valid single-segment frame: `count` times the same byte.
  static func zeros(_ count: Int) -> FrameRecipe {
    var recipe = FrameRecipe()
    recipe.contentSize = bytes(UInt64(count), 4)
    recipe.blocks = repeated(count)
    return recipe
  }

  /// Blocks that each encode up to 128 KiB of zeros in four bytes, `count` in total.
  static func repeated(_ count: Int) -> [[UInt8]] {
    let largest = 128 << 10
    var rest = count
    var blocks: [[UInt8]] = []
    repeat {
      let size = min(rest, largest)
      rest -= size
      blocks.append(bytes(UInt64(size) << 3 | 1 << 1 | (rest == 0 ? 1 : 0), 3) + [0])
    } while rest > 0
    return blocks
  }

  static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  var frame: [UInt8] {
    let sizeFlag: UInt8 =
      switch contentSize.count {
      case 2: 1
      case 4: 2
      case 8: 3
      default: 0
      }
    let dictionaryFlag = dictionaryID.count == 4 ? 3 : UInt8(dictionaryID.count)
    let descriptor =
      sizeFlag << 6 | (isSingleSegment ? 0x20 : 0) | reservedBits | (hasChecksum ? 4 : 0) | dictionaryFlag
    return magic + [descriptor] + (isSingleSegment ? [] : [window]) + dictionaryID + contentSize
      + blocks.joined() + checksum
  }
}
