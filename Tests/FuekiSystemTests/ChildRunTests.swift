import FuekiSystem
import TestSupport
import Testing

struct ChildRunTests {
  /// Returns a run of a shell script, as an example of a program.
  private func shell(_ script: String, patience: Double = 30) -> ChildRun {
    ChildRun(
      executable: "/bin/sh", arguments: ["-c", script], environment: [Array("PATH=/usr/bin:/bin".utf8)],
      patience: patience)
  }

  private func output(of run: ChildRun) throws -> (bytes: [UInt8], outcome: ChildRun.Outcome) {
    var bytes: [UInt8] = []
    let outcome = try run.run(output: { span in
      for index in span.indices { bytes.append(span[index]) }
    })
    return (bytes, outcome)
  }

  @Test func `what a program prints comes in order, however much on either stream`() throws {
    let many = "i=0; while [ $i -lt 20000 ]; do echo line $i; echo noise $i >&2; i=$((i+1)); done; exit 7"
    let (bytes, outcome) = try output(of: shell(many))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 20_000 && lines.last == "line 19999")
    #expect(outcome.ending == .exited(7))
    #expect(outcome.errors.hasSuffix("noise 19999\n") && outcome.errors.utf8.count <= 8192)
  }

  @Test func `it gets its arguments as they are, no input, and nothing else of this process`() throws {
    var run = shell("")
    run.arguments = ["-c", "printf '%s|' \"$@\"; cat; env", "sh", "a b", "$(id)", "*"]
    let text = String(decoding: try output(of: run).bytes, as: UTF8.self)
    #expect(text.hasPrefix("a b|$(id)|*|"), "\(text)")
    #expect(!text.contains("HOME="))
  }

  @Test func `a program that is silent for too long is ended`() throws {
    do {
      _ = try output(of: shell("trap '' TERM; echo begun; sleep 100", patience: 0.3))
      Issue.record("it went on")
    } catch let error as SystemError {
      #expect(error.isTimedOut)
    }
  }

  @Test func `a program that keeps writing is not ended`() throws {
    // It takes longer in all than its patience, and pauses far less.
    let slow = "i=0; while [ $i -lt 35 ]; do sleep 0.1; echo; i=$((i + 1)); done"
    #expect(try output(of: shell(slow, patience: 3)).bytes.count == 35)
  }

  @Test func `a child's child that holds the streams open is not waited for`() throws {
    // A wait for it would end with an error.
    #expect(try output(of: shell("sleep 100 & echo done", patience: 90)).bytes == Array("done\n".utf8))
  }

  @Test func `what its listener throws ends it`() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) { _ = try shell("yes").run(output: { _ in throw Enough() }) }
    #expect(throws: Enough.self) {
      _ = try shell("sleep 60").run(output: { _ in }, idle: { throw Enough() })
    }
  }

  @Test func `a program is looked for in absolute folders only`() throws {
    #expect(ChildRun.find("sh")?.hasSuffix("/sh") == true)
    #expect(ChildRun.find("no such program") == nil)
    #expect(ChildRun.find("") == nil)
  }

  @Test func `a file without a name is there until it closes`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.open().createUnnamedFile()
    try file.pwriteAll([1, 2, 3], at: 0)
    #expect(try file.readExactly(3, at: 0) == [1, 2, 3])
    #expect(try folder.open().list().isEmpty)
  }
}
