import FuekiSync
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// The bark source against a stub.
///
/// It tests the interpretation of answers, not bark itself.
@Suite struct BarkTests {
  private static let stub = "\(SourceTree.path)/Tests/Nodes/bark_stub.py"
  private static let txid = String(repeating: "ab", count: 32)

  /// Answers according to bark's description, one of each kind: sent and received, complete and incomplete.
  private static func answers(
    status: String = "pending", spendable: Int = 70_000, behaviour: String = ""
  ) -> String {
    let movement = { (id: Int, status: String, change: Int, fee: Int, sent: String, received: String) in
      #"{"id":\#(id),"status":"\#(status)","subsystem":{"name":"bark.arkoor","kind":"send"},"#
        + #""intended_balance_sat":\#(change),"effective_balance_sat":\#(change),"offchain_fee_sat":\#(fee),"#
        + #""sent_to":[\#(sent)],"received_on":[\#(received)],"input_vtxos":[],"output_vtxos":[],"#
        + #""exited_vtxos":[],"time":{"created_at":"2026-11-01T10:00:00Z","updated_at":"2026-11-02T10:00:00Z","#
        + #""completed_at":\#(status == "successful" ? #""2026-11-01T11:00:00.5Z""# : "null")}}"#
    }
    let place = { (kind: String, value: String) in
      #"{"destination":{"type":"\#(kind)","value":"\#(value)"},"amount_sat":1}"#
    }
    let coin = { (state: String, amount: Int) in
      #"{"id":"\#(txid):0","amount_sat":\#(amount),"policy_type":"pubkey","user_pubkey":"02","server_pubkey":"03","#
        + #""expiry_height":900000,"exit_delta":12,"chain_anchor":"\#(txid):1","state":{"type":"\#(state)"}}"#
    }
    let onchain = { (change: Int, fee: String, confirmation: String) in
      #"{"txid":"\#(txid)","tx":"00","balance_change_sat":\#(change),"onchain_fee_sat":\#(fee),"#
        + #""is_cpfp":false,"confirmation":\#(confirmation)}"#
    }
    let movements = [
      movement(1, "successful", 100_000, 0, "", place("ark", "ark1pme")),
      movement(2, status, -20_300, 300, place("lightning-address", "you@example.org"), ""),
      movement(3, "canceled", 0, 0, place("invoice", "lnbc1"), place("ark", "ark1pme")),
    ]
    let block = #"{"height":810000,"hash":"\#(String(repeating: "cd", count: 32))"}"#
    return #"{"balance":{"spendable_sat":70000,"pending_lightning_send_sat":20300,"#
      + #""claimable_lightning_receive_sat":1,"pending_in_round_sat":20,"pending_board_sat":300,"#
      + #""pending_exit_sat":4000},"history":[\#(movements.joined(separator: ","))],"#
      + #""vtxos":[\#(coin("spendable", spendable)),\#(coin("locked", 5))],"#
      + #""onchain balance":{"total_sat":500000,"trusted_spendable_sat":500000,"immature_sat":0,"#
      + #""trusted_pending_sat":0,"untrusted_pending_sat":0,"confirmed_sat":500000},"#
      + #""onchain transactions":[\#(onchain(500_000, "null", block)),\#(onchain(-1200, "200", "null"))]"#
      + "\(behaviour)}"
  }

  private func query() -> WalletQuery {
    var wallet = Wallet()
    wallet.id = PackedText.pack("ark wallet")
    wallet.chainFamily = "bitcoin"
    wallet.chainID = "bitcoin-signet"
    wallet.address = PackedText.pack("ark1pme")
    wallet.lastSynced.height = 800_000
    return WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: [])
  }

  private func findings(_ directory: String, deadline: Double = 60) async throws -> WalletFindings {
    try await BarkSource(directory: directory, program: Self.stub, deadline: deadline)
      .findings(for: query())
  }

  @Test(
    .enabled(if: Fixtures.folder("bark") != nil, "the fixtures are not here"),
    .enabled(if: InstalledProgram.python(with: "jsonschema") != nil, "there is no jsonschema on this machine")
  )
  func `what the stub says is what bark's description allows`() throws {
    let scratch = try TemporaryDirectory()
    try scratch.write(Array(Self.answers().utf8), to: "stub.json")
    let run = try BuiltBinary.run(
      program: try #require(InstalledProgram.python(with: "jsonschema")),
      [
        Self.stub, "--check", "\(try #require(Fixtures.folder("bark")))/openapi.json",
        scratch.path("stub.json"),
      ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text == "balance\nhistory\nvtxos\nonchain balance\nonchain transactions\n")
  }

  @Test func `balance, movements and transactions are read`() async throws {
    let scratch = try TemporaryDirectory()
    try scratch.write(Array(Self.answers().utf8), to: "stub.json")
    let found = try await findings("file://\(scratch.path)")
    #expect(found.balance == "574321")
    #expect(found.partial == nil && found.warnings.isEmpty)
    #expect(found.tip.height == 810_000)
    let rows = found.transactions.map(\.transaction).map { transaction -> [String?] in
      [
        PackedText.text(transaction.from), PackedText.text(transaction.to), transaction.amount,
        transaction.hasFee ? transaction.fee : nil, transaction.status,
      ]
    }
    #expect(
      rows == [
        ["", "ark1pme", "100000", nil, "confirmed"],
        ["ark1pme", "you@example.org", "20000", "300", "pending"],
        ["", "ark1pme", "0", nil, "dropped"], ["", "ark1pme", "500000", nil, "confirmed"],
        ["ark1pme", "", "1000", "200", "pending"],
      ])
    #expect(found.transactions[0].transaction.timestamp == Timestamp("2026-11-01T11:00:00.5Z")?.microseconds)
    #expect(found.transactions[0].transaction.metadata == #"{"name": "bark.arkoor", "kind": "send"}"#)
    let asked = String(decoding: try scratch.read("asked"), as: UTF8.self)
    #expect(
      asked == "balance\nhistory --no-sync\nvtxos --no-sync\nonchain balance --no-sync\n"
        + "onchain transactions --no-sync\n")
  }

  @Test func `a movement keeps its name when its status changes, and another wallet's has another`()
    async throws
  {
    var names: [[String]] = []
    let scratch = try TemporaryDirectory()
    let second = try TemporaryDirectory()
    for (folder, status) in [
      (scratch.path, "pending"), (scratch.path, "successful"), (second.path, "pending"),
    ] {
      try BarkTests.put(Self.answers(status: status), in: folder)
      let found = try await findings(folder).transactions.map(\.transaction)
      #expect(found[1].status == (status == "pending" ? "pending" : "confirmed"))
      names.append(found.prefix(3).compactMap { PackedText.text($0.hash) })
    }
    #expect(names[0] == names[1])
    #expect(Set(names[0] + names[2]).count == 6)
  }

  private static func put(_ text: String, in folder: String) throws {
    let directory = try Directory.open(folder)
    try? directory.remove("stub.json")
    try directory.createFile("stub.json").pwriteAll(Array(text.utf8), at: 0)
  }

  @Test func `a warning means old numbers, and coins that do not add up are named`() async throws {
    let scratch = try TemporaryDirectory()
    let behaviour = #","warning":"WARN bark: failed to sync with the server""#
    try scratch.write(Array(Self.answers(spendable: 69_999, behaviour: behaviour).utf8), to: "stub.json")
    let found = try await findings(scratch.path)
    #expect(found.partial == .oldNumbers)
    #expect(found.warnings == [.coinsDiffer(sum: 69999, balance: 70000)])
  }

  @Test func `one process at a time, none for ever, and none that failed is believed`() async throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.path
    try scratch.write(Array(Self.answers(behaviour: #","delay":0.05"#).utf8), to: "stub.json")
    async let first = findings(path)
    async let second = findings(path)
    let balances = [try await first.balance, try await second.balance]
    #expect(balances == ["574321", "574321"])
    let asked = String(decoding: try scratch.read("asked"), as: UTF8.self)
    #expect(!asked.contains("two"))

    try Self.put(Self.answers(behaviour: #","delay":30"#), in: path)
    await #expect(throws: SyncError.program(name: "bark", .deadline(seconds: 1))) {
      try await findings(path, deadline: 1)
    }
    try? scratch.open().remove("running")
    try Self.put(Self.answers(behaviour: #","status":1"#), in: path)
    await #expect(throws: SyncError.program(name: "bark", .failed(command: "balance"))) {
      try await findings(path)
    }
    await #expect(throws: SyncError.self) { try await findings("\(path)/nowhere") }
    let missing = BarkSource(directory: path, program: "\(path)/no-bark")
    await #expect(throws: SyncError.program(name: "bark", .notRunnable)) {
      try await missing.findings(for: query())
    }
    try Self.put("{}", in: path)
    await #expect(throws: SyncError.self) { try await findings(path) }
  }
}
