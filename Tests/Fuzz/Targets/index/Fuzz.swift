internal import FuekiArchive

/// A scope and the index of its stream: what is read is written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let scope = ArchiveScope.allCases[Int(first) % ArchiveScope.allCases.count]
  let bytes = Array(input.dropFirst())
  guard let index = try? StreamIndex(decoding: bytes, of: scope) else { return 0 }
  precondition(StreamIndex.encode(index.sections) == bytes, "the index has two spellings")
  try? index.checkLengths(in: scope, chunkCount: 1)
  return 0
}
