import FoundationEssentials
import FuekiSystem
import TestSupport
import Testing

/// The records of a store, from the command line.
struct RecordsTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func lines(_ arguments: [String]) throws -> [JSONValue] {
    let run = try machine.run(["records"] + arguments)
    #expect(run.status == 0, "\(arguments): \(run.errors)")
    return try run.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test func `a contact is added, found, changed, archived and removed`() throws {
    let added = try #require(
      try lines(["add", "contacts", "name=Ada Lovelace", "notes=pays the rent"]).first)
    let id = try #require(added["id"]?.text)
    #expect(added["created_at"]?.text?.hasPrefix("20") ?? false)
    #expect(try lines(["list", "contacts", "--search", "ADA"]).first == added)
    #expect(try lines(["show", "contacts", id]).first == added)
    let changed = try #require(try lines(["set", "contacts", id, "name=Ada", "notes="]).first)
    #expect(changed["name"]?.text == "Ada" && changed["notes"]?.text == "")
    #expect(changed["created_at"] == added["created_at"] && changed["updated_at"]?.text != nil)
    try machine.create()
    let exported = try machine.run(
      ["export", "latest", "--target", machine.target, "--output", machine.path("out")]
        + machine.archiveSecret,
      status: 0)
    #expect(exported.status == 0)
    let line = try #require(
      try machine.text("out/contacts.jsonl").split(separator: "\n").first { $0.contains(id) })
    #expect(try JSONValue(parsing: Array(line.utf8)) == changed)
    #expect(try lines(["remove", "contacts", id]).first == changed)
    let gone = try machine.run(["records", "show", "contacts", id])
    #expect(gone.status == 10 && gone.errors.contains("no such record"), "\(gone.errors)")
  }

  @Test func `a list goes on where it ended, and a count says how many there are`() throws {
    let all = try lines(["list", "transactions"])
    let count = try machine.run(["records", "list", "transactions", "--count"], status: 0).text
    #expect(Int(count.dropLast()) == all.count && all.count > 5)
    var (pages, place): ([JSONValue], [String]) = ([], [])
    repeat {
      let page = try machine.run(
        ["records", "list", "transactions", "--limit", "4", "--json"] + place, status: 0
      ).json()
      pages += page["records"]?.elements ?? []
      place = page["next"]?.text.map { ["--after", $0] } ?? []
    } while !place.isEmpty
    #expect(pages.count == all.count && Set(pages.compactMap { $0["id"]?.text }).count == all.count)
    let more = try machine.run(["records", "list", "transactions", "--limit", "4"], status: 0)
    #expect(more.errors.contains("there are more: --after"), "\(more.errors)")
    let wallet = try #require(all.first?["wallet_id"]?.text)
    let own = try lines(["list", "transactions", "--where", "wallet_id=\(wallet)"])
    #expect(own.count == all.count { $0["wallet_id"]?.text == wallet })
    #expect(
      own.compactMap { $0["timestamp"]?.text } == own.compactMap { $0["timestamp"]?.text }.sorted(by: >))
  }

  @Test(arguments: [
    (["list", "spells"], 64, "key-share-descriptors"),
    (["list", "transactions", "--where", "amount=1"], 64, "wallet_id"),
    (["list", "transactions", "--where", "status=confirmed"], 64, "no value of the field status"),
    (["list", "contacts", "--search", "a", "--count"], 64, "--search"),
    (["list", "contacts", "--after", "here"], 64, "--after"),
    (["show", "files", "%"], 64, "no value of the field id"),
    (["set", "contacts", "nobody", "name=x"], 10, "no such record"),
    (["add", "contacts", "colour=blue"], 64, "the fields are id, name"),
    (["add", "transactions", "status=unknown"], 1, "the status"),
    (["remove", "contacts", "nobody"], 10, "no such record"),
    (["follow", "contacts", "--json"], 64, "no end"),
    (["list", "contacts", "--datadir", "/nowhere"], 10, "no wallet store"),
  ])
  func `what is wrong is said, and nothing is changed`(
    _ arguments: [String], _ status: Int32, _ words: String
  )
    throws
  {
    let before = try machine.run(["records", "list", "contacts"], status: 0).text
    let run = try machine.run(["records"] + arguments)
    #expect(run.status == status && (run.text + run.errors).contains(words), "\(run.status) \(run.errors)")
    #expect(try machine.run(["records", "list", "contacts"], status: 0).text == before)
  }

  @Test func `an id that is there is not added again`() throws {
    let added = try lines(["add", "settings", "key=colours", "value=\"dark\""])
    #expect(added.first?["value"]?.text == "\"dark\"")
    let again = try machine.run(["records", "add", "settings", "key=colours", "value=\"light\""])
    #expect(again.status == 40 && again.errors.contains("records set"), "\(again.errors)")
    #expect(
      try lines(["set", "settings", "colours", "value=\"light\""]).first?["value"]?.text == "\"light\"")
  }

  @Test func `all that belongs to a wallet goes with it, and nothing else`() throws {
    let wallets = try lines(["list", "wallets"]).compactMap { $0["id"]?.text }
    let before = try lines(["list", "transactions"]).compactMap { $0["wallet_id"]?.text }
    let wallet = try #require(wallets.first { before.contains($0) })
    _ = try lines(["remove", "wallets", wallet, "--yes"])
    let after = try lines(["list", "transactions"]).compactMap { $0["wallet_id"]?.text }
    #expect(after == before.filter { $0 != wallet } && !after.contains(wallet))
  }

  /// Follows a kind until it printed two lines, while another process adds a record and removes it.
  private static let script = """
    "$1" records follow contacts >"$2/lines" 2>"$2/notes" & reader=$!
    until grep -q following "$2/notes"; do sleep 0.1; done
    sleep 3
    "$1" records add contacts id=C1 name=Ada >"$2/added" || exit 1
    until [ $(wc -l <"$2/lines") -ge 1 ]; do sleep 0.1; done
    "$1" records remove contacts C1 --yes >/dev/null || exit 1
    until [ $(wc -l <"$2/lines") -ge 2 ]; do sleep 0.1; done
    kill -INT $reader
    wait $reader
    """

  @Test func `what another process changes is followed until it is stopped`() throws {
    let folder = machine.path("followed")
    try Directory.makePrivateDirectories(folder)
    let run = try machine.run(
      ["-c"], through: ["/bin/sh", "-c", Self.script, "sh", PreparedMachine.binary(), folder], timeout: 60)
    #expect(run.status == 130, "\(run.errors)")
    let added = try machine.text("followed/added")
    #expect(try machine.text("followed/lines") == added + "{\"removed\":\"C1\"}\n")
  }
}
