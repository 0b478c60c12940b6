import CommandSupport
import TestSupport
import Testing

/// Wallets that were found and are in no backup.
struct UncoveredWalletTests {
  private static let folder = "home/.bitcoin/wallets"

  private func add(_ name: String, to machine: Machine) throws {
    try machine.write("wallet \(name)", to: "\(Self.folder)/\(name)/wallet.dat")
  }

  private func configure(_ text: String, on machine: Machine) throws {
    try machine.write(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n\n" + text,
      to: "home/.config/fueki-backup/config.toml")
  }

  @Test func `status has them as a problem until each is added or declined once`() throws {
    let machine = try Machine()
    try configure("", on: machine)
    try #require(try machine.create().status == 0)
    #expect(try machine.run(["status"]).status == 0)
    try add("new", to: machine)
    let found = try machine.run(["status"])
    #expect(
      found.status == 60 && found.text.contains("1 wallet on this machine in no backup"), "\(found.text)")
    #expect(!found.text.contains("All is well"))
    let document = try machine.run(["status", "--json"])
    #expect(try document.status == 60 && document.json()["ok"] == .bool(false))
    #expect(
      try document.json()["uncovered"]?[0]?["path"]
        == .string(machine.path("\(Self.folder)/new/wallet.dat")))
    // Archives of others are watched from here, too.
    #expect(try machine.run(["status", "--target", machine.target]).status == 0)
    try machine.run(["discover", "--decline", machine.path("home/nowhere")], status: 64)
    for folder in ["", "/", machine.root, machine.path("home")] {
      let refused = try machine.run(["discover", "--decline", folder])
      #expect(refused.status == 64, "\(folder): \(refused.errors)")
    }
    let declined = try machine.run(["discover", "--decline", machine.path("\(Self.folder)/new")])
    #expect(declined.status == 0 && declined.text.contains("declined: in no backup"), "\(declined.text)")
    #expect(try machine.run(["status"]).status == 0)
    try add("newer", to: machine)
    #expect(try machine.run(["status"]).status == 60)
    #expect(try machine.run(["discover", "--add"]).status == 0)
    #expect(try machine.run(["status"]).status == 0)
  }

  @Test func `a source that is added takes tomorrow's wallet of the same program, too`() throws {
    let machine = try Machine()
    try configure("", on: machine)
    try add("first", to: machine)
    #expect(try machine.run(["discover", "--add"]).status == 0)
    let text = try machine.text("home/.config/fueki-backup/config.toml")
    #expect(text.contains("kind = \"bitcoin-core\"\npath = \"~/.bitcoin/wallets\""), "\(text)")
    try add("second", to: machine)
    let places = try machine.run(["discover", "--json"]).json()["places"]?.elements ?? []
    #expect(places.count == 2 && places.allSatisfy { $0["uncovered"]?.elements.isEmpty ?? false })
  }

  @Test func `sources that only a timer's options name are no problem`() throws {
    let machine = try Machine()
    try configure("", on: machine)
    try add("first", to: machine)
    try machine.create(["--from", "store", "--from", "file:\(machine.path(Self.folder))"], status: 0)
    try machine.run(["status"], status: 0)
  }
}
