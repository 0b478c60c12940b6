import FuekiSystem
import TestSupport
import Testing

struct TestSupportTests {
  @Test func `a program runs with what the test gives and nothing else`() throws {
    let temporary = try TemporaryDirectory()
    let result = try BuiltBinary.run(
      program: "/bin/sh", ["-c", "cat; pwd; env; echo oops >&2; exit 5"], environment: ["A": "b c"],
      stdin: Array("in\n".utf8), cwd: temporary.path)
    #expect(result.status == 5)
    #expect(result.errors == "oops\n")
    let lines = result.text.split(separator: "\n")
    #expect(lines.prefix(2) == ["in", Substring(temporary.path)])
    #expect(lines.contains("A=b c"))
    #expect(!lines.contains { $0.hasPrefix("HOME=") || $0.hasPrefix("XDG_") })
  }

  @Test func `a program that hangs is killed`() throws {
    let result = try BuiltBinary.run(program: "/bin/sleep", ["60"], timeout: 0.2)
    #expect(result.timedOut)
    #expect(result.status == 137)
  }

  @Test func `a temporary directory removes itself`() throws {
    var path = ""
    do {
      let temporary = try TemporaryDirectory()
      path = temporary.path
      try temporary.open().makeDirectory("a")
      try temporary.open().openDirectory("a").createFile("b").pwriteAll([1], at: 0)
    }
    #expect(throws: SystemError.self) { _ = try Directory.open(path) }
  }

  @Test func `a test's choices are its own, and the same each time`() {
    var (one, again, other) = (TestSeed.random("one"), TestSeed.random("one"), TestSeed.random("other"))
    let bytes = one.bytes(16)
    #expect(again.bytes(16) == bytes && other.bytes(16) != bytes)
    #expect((0..<1 << 48).contains(TestSeed.value) || Environment.get("FUEKI_SEED") != nil)
  }

  @Test func `a sample has its size, and is spread over the cases in their order`() {
    let cases = Array(0..<100)
    let sample = TestSeed.sample(cases, of: 8)
    #expect(sample.count == (TestSeed.isFull ? 100 : 8) && sample == Set(sample).sorted())
    #expect(zip(sample, sample.dropFirst()).allSatisfy { $1 - $0 <= 13 })
    #expect(TestSeed.sample(cases, of: 101) == cases && TestSeed.sample([Int](), of: 3).isEmpty)
  }

  @Test func `random numbers are those of SplitMix64`() {
    var random = random(1_234_567)
    #expect([random.next(), random.next()] == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973])
    #expect(random.bytes(11).count == 11)
  }
}
