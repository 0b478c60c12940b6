import Testing
import fueki_backup

/// Ranges of archives' numbers, as people read them.
struct NumberRangeTests {
  @Test func `a range is its only number, or its first and its last, however wide it is`() {
    #expect((7...7 as ClosedRange<UInt64>).sentence == "7")
    #expect((2...3 as ClosedRange<UInt64>).sentence == "2 to 3")
    #expect((2...UInt64.max - 1).sentence == "2 to 18446744073709551614")
    #expect((0...UInt64.max).sentence == "0 to 18446744073709551615")
  }
}
