internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto

/// A file of tss-lib, and the secret in it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let share = try? TssLibShare(input.span, name: "input", byteCountLimit: 1 << 20),
    let secret = try? SecretBytes(copying: input.span)
  else { return 0 }
  _ = try? KnownShare(share.descriptor, secret: SharedSecret(secret), encodings: [.tssLib])
  return 0
}
