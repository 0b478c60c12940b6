/// The amount of an archive that can be lost and repaired, in hundredths of its length.
public struct ParityAmount: Equatable, Sendable {
  /// 0…100; 0 makes no recovery files.
  public let percent: Int

  /// Parses a whole number and `%`, from `0%` to `100%`; nil for anything else.
  public init?(_ text: String) {
    let digits = text.dropLast()
    guard text.last == "%", 1...3 ~= digits.count, digits.allSatisfy({ "0"..."9" ~= $0 }),
      let percent = Int(digits), 0...100 ~= percent
    else { return nil }
    self.percent = percent
  }

  /// The most bytes that all recovery files of an archive may have: as many as the archive, and what describes them.
  static func mostBytes(of byteCount: UInt64) -> UInt64 { 2 * byteCount + (16 << 20) }

  /// The blocks of an archive, and the number of recovery blocks for them.
  struct Blocks: Equatable {
    let byteCount: UInt64
    let recovery: UInt64
  }

  /// Small blocks repair scattered damage with little data, but many of them take long to compute.
  private static let mostBlocks: UInt64 = 2000
  /// A sector of most disks, and a page of most others.
  private static let leastBlockBytes: UInt64 = 4096

  /// How an archive of this length is divided.
  func blocks(of byteCount: UInt64) -> Blocks {
    let even = (byteCount + Self.mostBlocks - 1) / Self.mostBlocks
    let length = max(Self.leastBlockBytes, (even + 3) / 4 * 4)
    let count = (byteCount + length - 1) / length
    return Blocks(byteCount: length, recovery: (count * UInt64(percent) + 99) / 100)
  }
}
