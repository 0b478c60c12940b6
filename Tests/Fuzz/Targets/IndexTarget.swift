internal import FuekiArchive

extension FuzzTarget {
  /// A stream's scope, its number of chunks, and its index.
  static let index = FuzzTarget("index") { input in
    guard input.count >= 2 else { return }
    let bytes = Array(input[2...])
    let scope = ArchiveScope.allCases[Int(input[0]) % ArchiveScope.allCases.count]
    let index = try StreamIndex(decoding: bytes, of: scope)
    precondition(StreamIndex.encode(index.sections) == bytes, "an index encodes to other bytes")
    try index.checkLengths(in: scope, suite: .columns, chunkCount: UInt64(input[1]))
  }
}
