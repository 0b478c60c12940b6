import FuekiSystem
import TestSupport
import Testing

/// Random lives of a person's wallets: nights, losses, restores and other machines.
///
/// Two thousand with FUEKI_FULL=1, else ten of the first forty, chosen by ``TestSeed``. FUEKI_LIFE=FIRST-LAST plays these, and
/// FUEKI_LIFE=NUMBER prints its commands too.
struct LifeTests {
  static let numbers: [Int] = {
    let asked = Environment.get("FUEKI_LIFE")?.split(separator: "-").compactMap { Int($0) } ?? []
    if let first = asked.first, let last = asked.last, first <= last { return Array(first...last) }
    return TestSeed.isFull ? Array(0..<2000) : TestSeed.sample(Array(0..<40), of: 10)
  }()

  @Test(arguments: numbers) func `a life loses nothing without a word`(_ number: Int) throws {
    let events = LifeEvent.life(number)
    let (found, all) = try Life.play(events)
    if Self.numbers.count == 1 { print(all.joined(separator: "\n")) }
    guard let broken = found else { return }
    let short = try LifeShrinking.shrink(events, broken)
    let (again, lines) = try Life.play(short)
    Issue.record(
      """
      FUEKI_LIFE=\(number): \(broken)
      shrunk to \(short.count) of \(events.count) events: \(again ?? broken)
      \(lines.joined(separator: "\n"))
      """)
  }
}
