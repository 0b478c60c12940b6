import FoundationEssentials
import FuekiBackup
import FuekiSystem
import Testing

/// Files that two versions of this program take for files of different programs.
struct InventoryPlaceTests {
  /// The inventory of an archive with one file.
  private func inventory(_ number: Int, id: String, at place: String, key: String = "") throws -> Inventory {
    let digest = String(repeating: "\(number)", count: 64)
    let fileKey = key.isEmpty ? "" : #","fileKey":"\#(key)""#
    let text = #"""
      {"archive":{"sequence":\#(number),"digest":"\#(digest)"},"absent":[],"present":
      [{"kind":"file","id":"\#(String(repeating: id, count: 32))","name":"\#(place)","section":66\#(fileKey)}]}
      """#
    return try JSONDecoder().decode(Inventory.self, from: Data(text.utf8))
  }

  @Test func `a file in the same place is the same file`() throws {
    let before = try inventory(1, id: "a", at: "~/.specter/wallets/one.json")
    let now = try inventory(2, id: "b", at: "~/.specter/wallets/one.json").following(before)
    #expect(now.absent.isEmpty && now.moved.isEmpty)
  }

  @Test(arguments: ["~/.specter/wallets/two.json", "one.json"])
  func `a file in another place, or in none, is another`(_ place: String) throws {
    let before = try inventory(1, id: "a", at: place)
    let now = try inventory(2, id: "b", at: "~/.specter/wallets/one.json").following(before)
    #expect(now.losses.map(\.holding.name.text) == [place])
  }

  @Test func `another key in the same place is still a loss`() throws {
    let place = "~/.specter/wallets/one.json"
    let before = try inventory(1, id: "a", at: place, key: String(repeating: "1", count: 32))
    let now = try inventory(2, id: "b", at: place, key: String(repeating: "2", count: 32)).following(before)
    #expect(now.losses.map(\.isReplaced) == [true])
  }

  @Test(arguments: [true, false])
  func `what was given up on another machine is not given up where the last archive has it`(
    _ isOwn: Bool
  ) throws {
    func maker(_ number: Int) -> String { #""maker":"\#(String(repeating: "\(number)", count: 64))""# }
    func inventory(_ number: Int, _ fields: String) throws -> Inventory {
      let digest = String(repeating: "\(number)", count: 64)
      let text = #"{"archive":{"sequence":\#(number),"digest":"\#(digest)"},\#(fields)}"#
      return try JSONDecoder().decode(Inventory.self, from: Data(text.utf8))
    }
    let file =
      #"{"kind":"file","id":"\#(String(repeating: "a", count: 32))","name":"~/x/one.json","section":66}"#
    let before = try inventory(1, (isOwn ? "" : maker(1) + ",") + #""absent":[],"present":[\#(file)]"#)
    let last = #"{"sequence":1,"digest":"\#(before.archive.digest)"}"#
    let gone = #"{"holding":\#(file),"last":\#(last),"isLoss":true,"isAccepted":true}"#
    let other = try inventory(2, maker(2) + #","absent":[\#(gone)],"present":[]"#)
    #expect(other.following(before).losses.map(\.holding.name.text) == (isOwn ? ["~/x/one.json"] : []))
  }

  @Test func `names that may be cut are not compared`() throws {
    let place = "/" + String(repeating: "x", count: 299)
    let before = try inventory(1, id: "a", at: place)
    #expect(try inventory(2, id: "b", at: place).following(before).losses.count == 1)
  }
}
