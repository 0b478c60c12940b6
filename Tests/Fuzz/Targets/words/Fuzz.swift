internal import FuekiCrypto

/// The words of a share of SLIP-39: what is read is written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let text = try? SecretBytes(copying: input.span), let share = try? SLIP39Share(words: text) else {
    return 0
  }
  guard let words = try? share.words(), let again = try? SLIP39Share(words: words.bytes) else {
    preconditionFailure("the words that were written are not read")
  }
  precondition(share.memberIndex == again.memberIndex, "another member is read")
  let isSame = share.value.bytes.isEqualInConstantTime(to: again.value.bytes)
  precondition(isSame, "another value is read")
  return 0
}
