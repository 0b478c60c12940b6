import FuekiSystem
import FuzzTargets
import TestSupport
import Testing

/// The corpus of `.ci/fuzz`, and small variations of it, for each parser of foreign bytes.
struct CorpusTests {
  private static let targets = FuzzTarget.all.map(\.name)
  private static var folder: String { "\(SourceTree.path)/Tests/Fuzz/Corpus" }
  private static let changesOfEach = 60

  @Test func `each parser has its inputs, and no folder is without a parser`() throws {
    let folders = try Directory.open(Self.folder).list().map { String(decoding: $0.name, as: UTF8.self) }
    #expect(folders.sorted() == Self.targets.sorted())
  }

  /// Runs in a separate process, because a parser's fault is a trap.
  @Test(arguments: targets) func `no input traps`(_ name: String) async throws {
    await #expect(processExitsWith: .success) { [name] in
      let target = try #require(FuzzTarget.all.first { $0.name == name })
      var generator = TestSeed.random("corpus \(name)")
      let folder = try Directory.open("\(CorpusTests.folder)/\(name)")
      let inputs = try folder.list().map { try folder.openFile($0.name).readAll(limit: 1 << 20) }
      try #require(!inputs.isEmpty)
      for input in inputs {
        // An error is a correct result too.
        try? target.run(input)
        for _ in 0..<CorpusTests.changesOfEach { try? target.run(changed(input, by: &generator)) }
      }
    }
  }
}

/// Returns the bytes with some altered, removed or inserted.
private func changed(_ input: [UInt8], by generator: inout RandomSource) -> [UInt8] {
  var bytes = input
  for _ in 0...Int.random(in: 0...3, using: &generator) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    let count = min(Int.random(in: 1...8, using: &generator), bytes.count - place)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes.replaceSubrange(place..<place + count, with: generator.bytes(count))
    case 1: bytes.replaceSubrange(place..<place + count, with: repeatElement(0xFF, count: count))
    case 2: bytes.removeSubrange(place..<place + count)
    default: bytes.insert(contentsOf: generator.bytes(8), at: place)
    }
  }
  return bytes
}
