import FuekiSync
import FuekiWallet
import Testing

/// Queries to a current node, with answers in the form that Bitcoin Core documents.
///
/// Such a node has descriptor wallets, which litecoind lacks.
@Suite struct CoreShapeTests {
  private struct Node: Transport {
    /// Results by method.
    ///
    /// `!` precedes an error code.
    let answers: [String: String]
    /// The number of initial answers saying that the node is warming up.
    var warmUpCount = 0
    let asked = Journal<String>()

    func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      guard let call = try? JSONDocument(request.body, limit: request.body.count).root,
        let method = call.member("method")?.string
      else { return HTTPResponse(status: 400, body: []) }
      let number = asked.note("\(method) \(call.member("params")?.source ?? "")")
      var answer = number < warmUpCount ? "!-28" : answers[method] ?? "!-32601"
      // A wallet can be loaded once it has been created.
      if method == "loadwallet", asked.entries.contains(where: { $0.hasPrefix("createwallet") }) {
        answer = "{}"
      }
      guard answer.hasPrefix("!") else {
        return HTTPResponse(status: 200, body: Array(#"{"result":\#(answer),"error":null,"id":1}"#.utf8))
      }
      let body = #"{"result":null,"error":{"code":\#(answer.dropFirst()),"message":"no"},"id":1}"#
      return HTTPResponse(status: answer == "!-32601" ? 404 : 500, body: Array(body.utf8))
    }
  }

  private static let tip = String(repeating: "7a", count: 32)
  private static let key = TestKeys.publicKey

  private static let usual = [
    "getblockhash": "\"0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206\"",
    "listwallets": #"["mine"]"#, "loadwallet": "!-18", "createwallet": "{}", "unloadwallet": "{}",
    "getwalletinfo": #"{"private_keys_enabled":false,"descriptors":true,"scanning":false}"#,
    "getaddressinfo": #"{"labels":[]}"#, "importdescriptors": #"[{"success":true}]"#, "setlabel": "null",
    "listsinceblock": #"{"transactions":[],"removed":[]}"#,
    "getblockchaininfo": #"{"blocks":100,"headers":100,"bestblockhash":"\#(tip)"}"#,
    "getblockheader": #"{"time":1700000000}"#,
    "getbalances":
      #"{"mine":{"trusted":0.10000001,"untrusted_pending":-0.00000002,"immature":20999999.8769}}"#,
  ]

  private func findings(_ node: Node) async throws -> WalletFindings {
    var wallet = Wallet()
    wallet.chainFamily = "bitcoin"
    wallet.chainID = "bitcoin-regtest"
    wallet.descriptors = ["wpkh(\(Self.key)/0/*)"]
    wallet.gapLimit = 2
    let pace = Pace(now: { 0 }, sleep: { _ in }, chance: { 0 })
    return try await BitcoinCoreSource(
      ServerClient(transport: node, pace: pace), url: "http://127.0.0.1:1", pace: pace, patience: 3
    ).findings(for: WalletQuery(wallet: wallet, assets: [], startHeight: 0, open: []))
  }

  @Test func `a wallet with descriptors is made, told what to watch, and put away`() async throws {
    let node = Node(answers: Self.usual, warmUpCount: 2)
    let found = try await findings(node)
    #expect(found.balance == "2099999997689999")
    #expect(found.tip.height == 100 && found.partial == nil)

    let descriptor = try Descriptor(parsing: "wpkh(\(Self.key)/0/*)")
    let asked = node.asked.entries
    #expect(asked.prefix(3).allSatisfy { $0 == "getblockhash [0]" })
    let made = try #require(asked.first { $0.hasPrefix("createwallet") })
    #expect(made.hasSuffix(#"",true,true,"",false,true,false]"#) && made.contains(#"["fueki-backup-"#))
    #expect(
      asked.contains(
        #"importdescriptors [[{"desc":"\#(descriptor)","timestamp":0,"range":[0,1]}]]"#))
    #expect(asked.count { $0.hasPrefix("setlabel") } == 1)
    #expect(asked.last?.hasPrefix("unloadwallet") == true)
    // Other wallets' names are never sent.
    #expect(!asked.contains { $0.contains("mine") })
  }

  @Test func `a node that still reads the chain is not waited for for ever, and goes on`() async throws {
    var answers = Self.usual
    answers["importdescriptors"] = "!-4"
    answers["getwalletinfo"] =
      #"{"private_keys_enabled":false,"descriptors":true,"scanning":{"duration":9,"progress":0.3751}}"#
    let node = Node(answers: answers)
    let found = try await findings(node)
    #expect(found.partial == .reading(percent: "37"))
    #expect(found.balance == nil && found.transactions.isEmpty)
    #expect(!node.asked.entries.contains { $0.hasPrefix("unloadwallet") || $0.hasPrefix("setlabel") })
  }

  @Test func `a wallet of our name that has keys is left alone`() async throws {
    var answers = Self.usual
    answers["loadwallet"] = "{}"
    answers["getwalletinfo"] = #"{"private_keys_enabled":true,"scanning":false}"#
    let node = Node(answers: answers)
    await #expect(throws: SyncError.self) { try await findings(node) }
    #expect(!node.asked.entries.contains { $0.hasPrefix("import") })
  }
}
