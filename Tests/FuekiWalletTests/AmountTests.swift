import FuekiWallet
import Testing

@Suite struct AmountTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("0.000", "0"), ("0e999", "0"), ("007", "7"), ("+1.50", "1.5"), ("15e-1", "1.5"),
    ("1E3", "1000"), ("-0.0012", "-0.0012"), ("1.2e+2", "120"), ("100", "100"), ("12.34e1", "123.4"),
    (
      "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      "115792089237316195423570985008687907853269984665640564039457584007913129639935"
    ),
    ("0.000000000000000001", "0.000000000000000001"), ("1e-18", "0.000000000000000001"),
  ])
  func `a number keeps its text and has one canonical text`(text: String, canonical: String) throws {
    let amount = try #require(Amount(text))
    #expect(amount.text == text)
    #expect(amount.canonicalText == canonical)
    #expect(amount == Amount(canonical))
  }

  @Test(arguments: [
    "", "-", "+", ".", "1.", ".5", "1e", "1e+", "e5", "1.2.3", " 1", "1 ", "0x10", "1,000", "--1", "NaN",
    "inf",
    "1e10000", "1e-99999999999999999999", "١",
  ])
  func `what is not a number is refused`(text: String) { #expect(Amount(text) == nil) }

  @Test func `78 digits are added and compared exactly`() throws {
    let most = try #require(
      Amount("115792089237316195423570985008687907853269984665640564039457584007913129639935"))
    #expect(
      (most + Amount(1)).text
        == "115792089237316195423570985008687907853269984665640564039457584007913129639936")
    #expect((most - most).isZero)
    #expect(most + Amount(1) > most && most - Amount(1) < most && -most < most)
    #expect(Amount.sum([most, -most, Amount("0.5"), Amount("-0.25")].compactMap(\.self)).text == "0.25")
    #expect(Amount.sum([]) == .zero)
    #expect(most.multiplied(byPowerOfTen: -78).text.hasPrefix("0.115792"))
  }

  @Test func `arithmetic agrees with that of integers, wherever the point is`() throws {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<20_000 {
      let (a, b) = (random.signed() >> 2, random.signed() >> 2)
      let power = random.below(40) - 20
      let (x, y) = (Amount(a).multiplied(byPowerOfTen: power), Amount(b).multiplied(byPowerOfTen: power))
      #expect(x + y == Amount(a + b).multiplied(byPowerOfTen: power))
      #expect((x - y).text == Amount(a - b).multiplied(byPowerOfTen: power).text)
      #expect((x < y) == (a < b) && (x == y) == (a == b))
      #expect(Amount(x.text) == x)
      if a == b { #expect(x.hashValue == y.hashValue) }
    }
  }

  @Test func `sign, zero and wholeness are seen`() throws {
    #expect(try #require(Amount("-0.0")).isZero)
    #expect(try !#require(Amount("-0.0")).isNegative)
    #expect(try #require(Amount("-1")).isNegative)
    #expect(try #require(Amount("1.50e1")).isWhole)
    #expect(try !#require(Amount("1.5")).isWhole)
  }
}
