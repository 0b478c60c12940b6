import FoundationEssentials
import FuekiBackup
import FuekiSystem
import Testing

/// Files in one place: of two versions of this program that take them for different programs', and of two machines.
struct InventoryPlaceTests {
  private static let place = "~/x/one.json"

  /// A file of an archive, of this machine or of the one with a name.
  private func file(
    _ id: String = "a", at place: String = Self.place, key: String? = nil, bytes: String? = nil,
    of maker: String? = nil
  ) -> String {
    let fields = [
      ("id", String(repeating: id, count: 32)), ("name", place), ("fileKey", key), ("content", bytes),
      ("maker", maker),
    ]
    let texts = fields.compactMap { name, value in value.map { #""\#(name)":"\#($0)""# } }
    return #"{"kind":"file","section":66,\#(texts.joined(separator: ","))}"#
  }

  /// A thing that an archive states to be in an earlier one, where it is a file's name and no more.
  private func gone(_ file: String, last: Int, accepted: Bool = false) -> String {
    #"{"holding":\#(file),"last":\#(link(last)),"isLoss":true,"isAccepted":\#(accepted),"isHearsay":true}"#
  }

  private func link(_ number: Int) -> String {
    #"{"sequence":\#(number),"digest":"\#(String(repeating: "\(number)", count: 64))"}"#
  }

  /// The inventory of an archive, by this machine or by the one with a name.
  private func archive(
    _ number: Int, by maker: String? = nil, _ present: [String], stating absent: [String] = []
  ) throws -> Inventory {
    let made = maker.map { #""maker":"\#($0)","# } ?? ""
    let text = #"""
      {"archive":\#(link(number)),\#(made)"present":[\#(present.joined(separator: ","))],
      "absent":[\#(absent.joined(separator: ","))]}
      """#
    return try JSONDecoder().decode(Inventory.self, from: Data(text.utf8))
  }

  /// The number of the last archive that has each loss, after one archive follows another.
  private func losses(_ archives: [Inventory]) -> [UInt64] {
    var known: Inventory?
    for archive in archives { known = archive.following(known) }
    return known?.losses.map(\.last.sequence) ?? []
  }

  @Test func `a file in the same place is the same file`() throws {
    let now = try archive(2, [file("b")]).following(archive(1, [file("a")]))
    #expect(now.absent.isEmpty && now.moved.isEmpty)
  }

  @Test(arguments: ["~/.specter/wallets/two.json", "one.json"])
  func `a file in another place, or in none, is another`(_ other: String) throws {
    let now = try archive(2, [file("b")]).following(archive(1, [file("a", at: other)]))
    #expect(now.losses.map(\.holding.name.text) == [other])
  }

  @Test func `another key in the same place is still a loss`() throws {
    let now = try archive(2, [file(key: "2")]).following(archive(1, [file(key: "1")]))
    #expect(now.losses.map(\.replaced) == [.key])
  }

  @Test func `names that may be cut are not compared`() throws {
    let place = "/" + String(repeating: "x", count: 299)
    #expect(try losses([archive(1, [file("a", at: place)]), archive(2, [file("b", at: place)])]) == [1])
  }

  @Test(arguments: [nil, "one"])
  func `what was given up on another machine is given up here if it was never this machine's`(
    _ owner: String?
  ) throws {
    let file = file(of: owner)
    let stated = gone(file, last: 1, accepted: true)
    let archives = [
      try archive(1, by: owner, [file]), try archive(2, by: "two", []),
      try archive(3, by: "two", [], stating: [stated]),
    ]
    #expect(losses(archives) == (owner == nil ? [1] : []))
    #expect(losses([archives[0], archives[2]]) == (owner == nil ? [1] : []))
    // An older state of this machine, and its own archive after it.
    #expect(try losses([archives[0], archive(3, [], stating: [stated])]).isEmpty)
  }

  @Test func `each machine has its own file in one place`() throws {
    let (own, others) = (file(bytes: "own"), file(bytes: "other", of: "two"))
    let archives = try [
      archive(1, [own]), archive(2, by: "two", [others]), archive(3, [file(bytes: "later")]),
    ]
    #expect(losses(Array(archives[..<2])) == [1])
    #expect(losses(archives) == [2])
    #expect(try losses(archives + [archive(4, by: "two", [file(bytes: "newer", of: "two")])]) == [3])
    // A third one's is neither's.
    #expect(
      try losses(archives + [archive(4, by: "three", [file(bytes: "3", of: "three")])]).sorted() == [2, 3])
  }

  @Test func `a file with an unknown key does not get that of another machine's`() throws {
    let archives = try [
      archive(1, [file(bytes: "own")]), archive(2, by: "two", [file(key: "2", bytes: "other", of: "two")]),
      archive(3, [file(bytes: "later")]),
    ]
    #expect(losses(archives) == [2])
    // Its own is kept for it meanwhile.
    let known = try [archive(1, [file(key: "1", bytes: "own")])] + archives[1...]
    #expect(losses(known) == [2])
    #expect(try losses(known + [archive(4, [file(key: "9", bytes: "another")])]).sorted() == [2, 3])
  }

  @Test func `an older statement of another machine hides no newer version`() throws {
    let older = gone(file(of: "two"), last: 1)
    let archives = try [
      archive(1, [file(bytes: "own")]), archive(2, [file(bytes: "later")]),
      archive(3, by: "two", [], stating: [older]),
    ]
    #expect(losses(archives).contains(2))
    #expect(try losses([archives[0], archive(3, by: "two", [], stating: [older])]) == [1])
  }

  @Test func `a file in the place of one that another machine states is not that one`() throws {
    let stated = gone(file(of: "two"), last: 1)
    let archives = try [archive(2, by: "two", [], stating: [stated]), archive(3, [file(bytes: "own")])]
    #expect(losses(archives) == [1])
    // Where this machine stated it, the file is a newer version.
    #expect(try losses([archive(2, [], stating: [gone(file(), last: 1)]), archives[1]]).isEmpty)
  }

  @Test func `this machine's file may change after an archive of another`() throws {
    let (own, later) = (try archive(1, [file(bytes: "own")]), try archive(3, [file(bytes: "later")]))
    #expect(try losses([own, archive(2, by: "two", []), later]).isEmpty)
    // The other one has it as it was, as after it changed the passphrase.
    #expect(try losses([own, archive(2, by: "two", [file(bytes: "own", of: "two")]), later]).isEmpty)
  }

  @Test func `machines that take turns have nothing of their own missing`() throws {
    let (own, others) = (file("a", bytes: "own"), file("c", at: "~/x/two.json", bytes: "other", of: "two"))
    let turns = try [
      archive(1, [own]), archive(2, by: "two", [others]), archive(3, [own]),
      archive(4, by: "two", [others], stating: [gone(file("a"), last: 1)]), archive(5, [own]),
    ]
    #expect(losses(Array(turns[..<4])) == [3])
    #expect(losses(turns) == [4])
  }

  @Test func `the same bytes in another place are moved only on one machine`() throws {
    let place = "~/x/two.json"
    let first = try archive(1, [file("a", bytes: "own")])
    let moved = try archive(2, [file("b", at: place, bytes: "own")])
    #expect(losses([first, moved]).isEmpty)
    let others = try archive(2, by: "two", [file("b", at: place, bytes: "own", of: "two")])
    #expect(losses([first, others]) == [1])
  }

  @Test func `a file too short to be told from another machine's may grow`() throws {
    let short = try [archive(1, [file()]), archive(2, by: "two", [file(of: "two")])]
    #expect(try losses(short + [archive(3, [file(bytes: "longer")])]).isEmpty)
  }
}
