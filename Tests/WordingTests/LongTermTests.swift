import Testing
import fueki_backup

/// A differential archive is sealed for the long term only where its base is.
struct LongTermTests {
  @Test(
    arguments: [
      ([true], nil, "yes", "yes"),
      ([true, false], nil, "no: slot 2 is not", "not slot 2"),
      ([true], [true, true], "yes", "yes"),
      ([true], [true, false], "no: slot 2 of its base is not", "not its base"),
      ([true, true], [false, false], "no: slots 1, 2 of its base are not", "not its base"),
      ([false], [true], "no: slot 1 is not", "not slot 1"),
      ([false], [false], "no: slot 1 is not; slot 1 of its base is not", "not slot 1"),
    ] as [([Bool], [Bool]?, String, String)])
  func `the base's slots count, too`(_ own: [Bool], _ base: [Bool]?, _ sentence: String, _ short: String) {
    let longTerm = LongTerm(own, base: base)
    #expect(longTerm.sentence == sentence && longTerm.short == short)
  }
}
