internal import FuekiCollectors

/// A file of Web3 Secret Storage.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  _ = KeystoreDescription(input, name: [])
  return 0
}
