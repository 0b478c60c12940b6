internal import FuekiArchive

/// The slots field of a header: what is read is written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let slots = try? Slot.decodeAll(input) else { return 0 }
  let summaries = slots.enumerated().map { SlotSummary($0.element, number: $0.offset + 1) }
  precondition(summaries.count <= 32, "there are more slots than are read")
  guard slots.allSatisfy(\.type.isKnown) else { return 0 }
  precondition(slots.flatMap(\.encoded) == input, "the slots have two spellings")
  return 0
}
