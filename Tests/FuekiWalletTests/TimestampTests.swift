import FuekiWallet
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (1_795_242_600_000_000, "2026-11-21T06:30:00.000000Z"),
      (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
      (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
      (-62_167_219_200_000_001, "-000001-12-31T23:59:59.999999Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
      (253_402_300_800_000_000, "+010000-01-01T00:00:00.000000Z"),
      (.max, "+294247-01-10T04:00:54.775807Z"), (.min, "-290308-12-21T19:59:05.224192Z"),
    ] as [(Int64, String)])
  func `an instant has one text, and comes back`(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).text == text)
    #expect(Timestamp(text)?.microseconds == microseconds)
  }

  @Test func `any instant comes back from its text`() {
    var random = SeededGenerator(seed: 50)
    for _ in 0..<50_000 {
      let instant = Timestamp(microseconds: random.signed())
      #expect(Timestamp(instant.text) == instant)
    }
  }

  @Test(
    arguments: [
      ("2026-11-21T06:30:00Z", 1_795_242_600_000_000), ("2026-11-21t07:30:00.5+01:00", 1_795_242_600_500_000),
      ("2026-11-21 04:00:00,25-0230", 1_795_242_600_250_000),
      ("2026-11-21T06:30:00.1234569Z", 1_795_242_600_123_456),
      ("2026-11-21T06:30:00+00", 1_795_242_600_000_000), ("1969-12-31T23:59:59.9Z", -100_000),
    ] as [(String, Int64)])
  func `other spellings of ISO 8601 are read`(text: String, microseconds: Int64) {
    #expect(Timestamp(text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T06:30:00", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-04-31T00:00:00Z", "2026-11-21T24:00:00Z",
    "2026-11-21T06:60:00Z", "2026-11-21T06:30:60Z", "2026-11-21T06:30:00.Z", "2026-11-21T06:30:00Zx",
    "2026-11-21T06:30:00+1", "26-11-21T06:30:00Z", "+294247-01-10T04:00:54.775808Z",
    "-290308-12-21T19:59:05.224191Z", "+999999-12-31T00:00:00Z", "2026-11-21T06:30:00+24:00",
  ])
  func `what names no instant is refused`(text: String) { #expect(Timestamp(text) == nil) }

  @Test(
    arguments: [
      ("785000000.123456", 1_763_307_200_123_456), ("7.85e8", 1_763_307_200_000_000),
      ("0", 978_307_200_000_000),
      ("-978307200", 0), ("-978307200.000001", -1), ("785000000.1234565", 1_763_307_200_123_457),
      ("785000000.12345649", 1_763_307_200_123_456), ("-0.0000005", 978_307_199_999_999),
      ("0.0000004", 978_307_200_000_000), ("1e-9999", 978_307_200_000_000),
    ] as [(String, Int64)])
  func `seconds since 2001 become microseconds exactly`(text: String, microseconds: Int64) {
    #expect(Timestamp(seconds: text, since: .reference)?.microseconds == microseconds)
  }

  @Test func `seconds since 1970 are exact to the ends and refused beyond`() {
    #expect(Timestamp(seconds: "9223372036854.775807", since: .unix)?.microseconds == .max)
    #expect(Timestamp(seconds: "-9223372036854.775808", since: .unix)?.microseconds == .min)
    #expect(Timestamp(seconds: "9223372036854.775808", since: .unix) == nil)
    #expect(Timestamp(seconds: "9223372036854.7758075", since: .unix) == nil)
    #expect(Timestamp(seconds: "-9223372036854.775809", since: .unix) == nil)
    #expect(Timestamp(seconds: "9223372036854.775807", since: .reference) == nil)
    #expect(Timestamp(seconds: "1e9999", since: .unix) == nil)
    #expect(Timestamp(seconds: "now", since: .unix) == nil)
  }
}
