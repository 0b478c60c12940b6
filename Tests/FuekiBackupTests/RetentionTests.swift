import FuekiBackup
import TestSupport
import Testing

struct RetentionTests {
  private static let day: UInt64 = 86_400
  /// 21 November 2026, 06:30 UTC, a Saturday.
  private static let now: Int64 = 1_795_242_600

  /// Archives made at these distances before now, in hours, newest first; the newest has the highest sequence.
  private func archives(_ hoursAgo: [Int64]) -> [DatedArchive] {
    hoursAgo.enumerated().map { index, hours in
      DatedArchive(sequence: UInt64(hoursAgo.count - index), created: UInt64(Self.now - hours * 3600))
    }
  }

  private func kept(_ archives: [DatedArchive], _ set: (inout RetentionRules) -> Void) -> [Int] {
    var rules = RetentionRules()
    set(&rules)
    return rules.reasons(toKeep: archives, now: Self.now).enumerated().filter { !$0.element.isEmpty }
      .map(\.offset)
  }

  @Test func `the last ones are the highest sequences`() {
    let shuffled = [3, 1, 5, 2, 4].map { DatedArchive(sequence: $0, created: 1_000_000 / $0) }
    #expect(kept(shuffled) { $0.last = .number(2) } == [2, 4])
    #expect(kept(shuffled) { $0.last = .number(9) } == [0, 1, 2, 3, 4])
    #expect(kept(shuffled) { $0.last = .unlimited } == [0, 1, 2, 3, 4])
  }

  @Test func `a day's newest stays, a day without any does not count, and the oldest fills what is left`() {
    // Today 06:30 and 05:30; yesterday 22:30 and 21:30; then four days before.
    let some = archives([0, 1, 8, 9, 96, 97])
    #expect(kept(some) { $0.daily = .number(1) } == [0])
    #expect(kept(some) { $0.daily = .number(2) } == [0, 2])
    #expect(kept(some) { $0.daily = .number(3) } == [0, 2, 4])
    #expect(kept(some) { $0.daily = .number(4) } == [0, 2, 4, 5])
    var rules = RetentionRules()
    rules.daily = .number(7)
    let reasons = rules.reasons(toKeep: some, now: Self.now)
    #expect(reasons[4] == [.period(.daily, isOldest: false)])
    #expect(reasons[5] == [.period(.daily, isOldest: true)])
  }

  @Test(arguments: [
    ("1970-01-04 to -05", Int64(3), Int64(4), true), ("1970-01-05 to -11", 4, 10, false),
    ("1969-12-28 to -29", -4, -3, true), ("2027-01-03 to -04", 20_821, 20_822, true),
    ("2026-12-31 to 2027-01-01", 20_818, 20_819, false),
  ])
  func `weeks begin on Mondays, whatever the year`(_ name: String, _ a: Int64, _ b: Int64, _ differ: Bool) {
    let week = KeepReason.Period.weekly
    #expect((week.number(of: a * 86_400) != week.number(of: b * 86_400 + 86_399)) == differ)
  }

  @Test func `months and years are the calendar's`() {
    // Each 30 days apart: 21 Nov, 22 Oct, 22 Sep, 23 Aug, … through 2026 into 2025.
    let some = archives((0..<20).map { $0 * 30 * 24 })
    #expect(kept(some) { $0.yearly = .number(1) } == [0])
    #expect(kept(some) { $0.yearly = .number(2) } == [0, 11])
    #expect(kept(some) { $0.monthly = .number(3) } == [0, 1, 2])
  }

  @Test func `within is counted back from the newest, not from today`() {
    let some = archives([500, 501, 524, 525, 600])
    #expect(kept(some) { $0.within = CalendarSpan("1d") } == [0, 1])
    #expect(kept(some) { $0.within = CalendarSpan("1d1h") } == [0, 1, 2])
    #expect(kept(some) { $0.within = CalendarSpan("1y") } == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [
    ("2y5m7d3h", true), ("1m", true), ("0d", true), ("", false), ("7", false), ("d", false), ("1d1d", false),
    ("1w", false), ("-1d", false), ("1 d", false), ("999999999999999999999y", false), ("١d", false),
  ])
  func `a span is numbers with units`(_ text: String, _ isOne: Bool) {
    #expect((CalendarSpan(text) != nil) == isOne)
  }

  @Test(
    arguments: [
      -1, 0, 951_825_600, 1_709_164_800, 2_147_483_648, 4_294_967_296, 253_402_300_799,
    ] as [Int64])
  func `whatever the clock says, the newest stays and no rule keeps more than it says`(_ now: Int64) {
    // Made before, on a clock that went forth and back, and all later than it says now.
    let clocks: [[Int64]] = [
      (0..<40).map { now - (39 - $0) * 86_400 }, (0..<40).map { now + ($0 % 7 - 3) * 400 * 86_400 },
      (0..<40).map { now / 2 + $0 * 86_400 }, [Int64](repeating: 0, count: 40),
    ]
    for clock in clocks {
      let archives = clock.enumerated().map {
        DatedArchive(sequence: UInt64($0.offset + 1), created: UInt64(clamping: $0.element))
      }
      var rules = RetentionRules()
      rules.daily = .number(3)
      rules.yearly = .number(2)
      let kept = rules.reasons(toKeep: archives, now: now)
      #expect(kept.last?.isEmpty == false)
      #expect(kept.count { $0.contains { if case .period(.daily, _) = $0 { true } else { false } } } <= 3)
      #expect(kept.count { $0.contains { if case .period(.yearly, _) = $0 { true } else { false } } } <= 2)
      rules = RetentionRules()
      rules.within = CalendarSpan("1y1m29d")
      #expect(rules.reasons(toKeep: archives, now: now).last?.isEmpty == false)
    }
  }

  @Test func `of each hour the newest is kept, before 1970 too`() {
    for now in [Self.now, -Self.now] as [Int64] {
      let hour = now - ((now % 3600) + 3600) % 3600
      let numbers = [0, 1799, 3599, 3600, 7300].map { KeepReason.Period.hourly.number(of: hour + $0) }
      #expect(numbers[0] == numbers[1] && numbers[1] == numbers[2], "\(now)")
      #expect(numbers[3] == numbers[2] + 1 && numbers[4] == numbers[3] + 1, "\(now)")
    }
  }

  @Test func `an archive of the future crowds no other out`() {
    var some = archives([24, 48, 72, 96, 120])
    some[2] = DatedArchive(sequence: some[2].sequence, created: UInt64(Self.now) + 3650 * Self.day)
    // By its neighbour's date it is of the day before its own.
    #expect(kept(some) { $0.daily = .number(3) } == [0, 1, 3])
    #expect(kept(some) { $0.within = CalendarSpan("2d") } == [0, 1, 2])
    #expect(some[2].isFutureDated(now: Self.now) && !some[0].isFutureDated(now: Self.now))
    let all = (1...3).map { DatedArchive(sequence: $0, created: .max - $0) }
    #expect(kept(all) { $0.last = .number(1) } == [2])
    #expect(kept(all) { $0.daily = .number(1) } == [2])
  }

  @Test func `a clock that went back does not make the newest the oldest`() {
    var some = archives([0, 24, 48, 72])
    some[0] = DatedArchive(sequence: 4, created: 0)
    #expect(kept(some) { $0.last = .number(1) } == [0])
    #expect(kept(some) { $0.daily = .number(2) } == [0, 1])
  }

  @Test(arguments: 0..<200)
  func `more is kept by more, and the newest by every rule`(_ seed: UInt64) {
    var random = random(seed)
    let count = Int.random(in: 1...40, using: &random)
    let some = (0..<count).map { index in
      DatedArchive(
        sequence: UInt64(index + 1),
        created: UInt64(Self.now) - UInt64.random(in: 0...(400 * Self.day), using: &random))
    }
    .shuffled(using: &random)
    let limit = Int.random(in: 1...12, using: &random)
    let newest = some.indices.max { some[$0].sequence < some[$1].sequence }
    for set: @Sendable (inout RetentionRules, Int) -> Void in [
      { $0.last = .number($1) }, { $0.hourly = .number($1) }, { $0.daily = .number($1) },
      { $0.weekly = .number($1) },
      { $0.monthly = .number($1) }, { $0.yearly = .number($1) },
    ] {
      let few = kept(some) { set(&$0, limit) }
      let more = kept(some) { set(&$0, limit + 1) }
      #expect(few.count == min(limit, few.count) && few.count >= 1)
      #expect(Set(few).isSubset(of: more) || few.count == limit)
      #expect(newest.map(few.contains) == true)
      #expect(kept(some) { set(&$0, .max) }.count >= more.count)
    }
    #expect(kept(some) { $0.within = CalendarSpan("1h") }.count >= 1)
    #expect(kept(some) { _ in }.isEmpty)
  }
}
