import FuekiSystem
import TestSupport
import Testing

/// Databases and their logs: they go back together or not at all, and never next to a part of another database.
struct PlacedSetTests {
  private static let names = ["w/a.sqlite", "w/a.sqlite-wal", "w/b.sqlite", "w/notes.dat"]

  private func machine() throws -> LostMachine {
    let pair = try LostMachine()
    for name in Self.names { try pair.write(Array("of the archive: \(name)".utf8), to: "home/\(name)") }
    try pair.create(["file:~/w"])
    try pair.restore()
    return pair
  }

  /// Each file's fate and reason, by its name.
  private func fates(_ run: RunResult) throws -> [String: String] {
    let files = try run.json()["files"]?.elements ?? []
    let pairs = files.map { file in
      (PathParts(file["place"]?.text ?? "").name, file["reason"]?.text ?? file["fate"]?.text ?? "")
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  private func written(_ pair: LostMachine) throws -> [String] { try pair.machine.names(in: "new-home/w") }

  @Test(arguments: [
    ("a.sqlite", "a.sqlite-wal", "a.sqlite"), ("a.sqlite-wal", "a.sqlite", "a.sqlite-wal"),
  ])
  func `if a database or its log is in conflict, both wait and the others are placed`(
    _ inTheWay: String, _ together: String, _ left: String
  ) throws {
    let pair = try machine()
    try pair.write(Array("mine".utf8), to: "new-home/w/\(inTheWay)")
    let run = try pair.putBack(["--json"]).expect(40)
    #expect(
      try fates(run)
        == [inTheWay: "in-the-way", together: "together", "b.sqlite": "placed", "notes.dat": "placed"])
    #expect(try written(pair) == [left, "b.sqlite", "notes.dat"])
    #expect(try pair.machine.read("new-home/w/\(inTheWay)") == Array("mine".utf8))
    let words = try pair.putBack()
    #expect(words.text.contains("it belongs to another file"), "\(words.text)")
  }

  @Test func `a log goes beside with its database, under that one's name`() throws {
    let pair = try machine()
    try pair.write(Array("mine".utf8), to: "new-home/w/a.sqlite")
    try pair.putBack(["--on-conflict", "rename"]).expect(0)
    let names = try written(pair)
    let database = try #require(names.first { $0.hasPrefix("a.sqlite.restored-") })
    #expect(names.contains("\(database)-wal") && !names.contains("a.sqlite-wal"), "\(names)")
    #expect(try pair.machine.read("new-home/w/a.sqlite") == Array("mine".utf8))
    #expect(
      try pair.machine.read("new-home/w/\(database)-wal") == pair.machine.read("home/w/a.sqlite-wal"))
  }

  @Test func `a log of another database is in the way, and is kept with that one`() throws {
    let pair = try machine()
    try pair.write(Array("an older database".utf8), to: "new-home/w/b.sqlite")
    try pair.write(Array("its log".utf8), to: "new-home/w/b.sqlite-journal")
    #expect(try fates(try pair.putBack(["--json"]))["b.sqlite"] == "in-the-way")
    try pair.putBack(["--on-conflict", "replace"]).expect(0)
    try pair.expectSame("w/b.sqlite")
    let names = try written(pair)
    let old = try #require(names.first { $0.hasPrefix("b.sqlite.replaced-") && !$0.hasSuffix("-journal") })
    #expect(!names.contains("b.sqlite-journal"))
    #expect(try pair.machine.read("new-home/w/\(old)") == Array("an older database".utf8))
    #expect(try pair.machine.read("new-home/w/\(old)-journal") == Array("its log".utf8))
  }

  @Test func `a log without its database is in that one's way`() throws {
    let pair = try machine()
    try pair.write(Array("the log of a lost database".utf8), to: "new-home/w/b.sqlite-wal")
    let run = try pair.putBack(["--json"])
    #expect(try run.status == 40 && fates(run)["b.sqlite"] == "in-the-way", "\(run.text)")
    #expect(try !written(pair).contains("b.sqlite"))
  }

  @Test func `a held database's log is held under its name`() throws {
    let pair = try LostMachine()
    let folder = ".lnd/data/graph/mainnet"
    for name in ["channel.sqlite", "channel.sqlite-wal"] {
      try pair.write(Array(name.utf8), to: "home/\(folder)/\(name)")
    }
    try pair.create(["file:~/.lnd"])
    try pair.restore()
    for _ in 1...2 {
      try pair.putBack().expect(0)
      #expect(
        try pair.machine.names(in: "new-home/\(folder)") == [
          "channel.sqlite.fueki-hold", "channel.sqlite.fueki-hold-wal", "channel.sqlite.fueki-hold.txt",
        ])
    }
  }

  @Test func `a folder where a file goes holds back only that file`() throws {
    let pair = try machine()
    try Directory.makePrivateDirectories(pair.machine.path("new-home/w/notes.dat"))
    let run = try pair.putBack(["--json"]).expect(40)
    let fates = try fates(run)
    #expect(
      fates == [
        "notes.dat": "in-the-way", "a.sqlite": "placed", "a.sqlite-wal": "placed", "b.sqlite": "placed",
      ])
    let file = try run.json()["files"]?.elements.first { $0["reason"] == .string("in-the-way") }
    #expect(file?["detail"]?.text?.contains("exists and is not a file") == true)
  }
}
