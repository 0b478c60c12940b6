import FuekiSync
import FuekiWallet
import Testing

/// A person with publicly known keys.
///
/// The node has the same keys in a wallet, whose balance and history are the expected values.
struct TestPerson: Sendable {
  static let walletName = "person"

  let node: LitecoinNode
  private let external: Descriptor
  private let change: Descriptor
  private let network: BitcoinNetwork

  /// Imports the person's keys into the node.
  init(on node: LitecoinNode) async throws {
    self.node = node
    external = try Descriptor(parsing: TestKeys.descriptors[0])
    change = try Descriptor(parsing: TestKeys.descriptors[1])
    network = try #require(BitcoinNetwork.named("litecoin-regtest"))
    try await node.call("createwallet", [.string(Self.walletName), false, true])
    var requests: [JSONArgument] = []
    for (branch, isInternal) in [(0, false), (1, true)] {
      let descriptor = "wpkh(\(TestKeys.privateKey)/\(branch)/*)"
      let facts = try await node.call("getdescriptorinfo", [.string(descriptor)])
      let checksum = try #require(facts.member("checksum")?.string)
      requests.append([
        "desc": .string("\(descriptor)#\(checksum)"), "range": [0, 60], "timestamp": 0,
        "internal": .boolean(isInternal),
      ])
    }
    try await node.call("importmulti", [.array(requests)], wallet: Self.walletName)
  }

  func address(_ index: UInt32) throws -> String { try external.address(at: index, network: network) }
  func changeAddress(_ index: UInt32) throws -> String { try change.address(at: index, network: network) }

  /// Returns the wallet as restored from an archive.
  func wallet(lastRevealed: (UInt32, UInt32)? = nil, gapLimit: UInt32 = 20) -> Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("person's wallet")
    wallet.chainFamily = "bitcoin"
    wallet.chainID = "litecoin-regtest"
    wallet.descriptors = TestKeys.descriptors
    wallet.gapLimit = gapLimit
    if let lastRevealed {
      wallet.keychains = [("external", lastRevealed.0), ("internal", lastRevealed.1)].map { name, index in
        var keychain = KeychainIndex()
        keychain.name = name
        keychain.lastRevealed = index
        return keychain
      }
    }
    return wallet
  }

  /// Pays from the person's coins with change to the person, and returns the transaction's id.
  func pay(_ address: String, _ amount: String, change index: UInt32) async throws -> String {
    let plain = try await node.text(
      "createrawtransaction", [[], .object([(name: address, value: .number(amount))])])
    let funded = try await node.call(
      "fundrawtransaction",
      [.string(plain), ["changeAddress": .string(try changeAddress(index)), "feeRate": .number("0.0001")]],
      wallet: Self.walletName)
    let signed = try await node.call(
      "signrawtransactionwithwallet", [.string(try #require(funded.member("hex")?.string))],
      wallet: Self.walletName)
    return try await node.text("sendrawtransaction", [.string(try #require(signed.member("hex")?.string))])
  }

  /// Returns the person's balance according to the node's scan of all unspent outputs.
  func unspent() async throws -> String {
    let scan = TestKeys.descriptors.map {
      JSONArgument.object([(name: "desc", value: .string($0)), (name: "range", value: 100)])
    }
    let answer = try await node.call("scantxoutset", ["start", .array(scan)])
    return try #require(answer.member("total_amount")?.number.flatMap(LitecoinNode.units))
  }

  /// A transaction in the node's wallet.
  struct Entry: Equatable, Sendable {
    /// The change of the balance, including the fee.
    var net: String
    var fee: String?
    var height: UInt64?
  }

  /// Returns the person's history in the node's wallet, by transaction id.
  func history(from height: UInt64 = 0) async throws -> [String: Entry] {
    let listed = try await node.call(
      "listtransactions", ["*", 10_000, 0, true], wallet: Self.walletName)
    var history: [String: Entry] = [:]
    for id in Set(listed.children.compactMap { $0.member("txid")?.string }) {
      let facts = try await node.call("gettransaction", [.string(id)], wallet: Self.walletName)
      guard let confirmations = facts.member("confirmations")?.number.flatMap({ Int($0) }),
        confirmations >= 0,
        let amount = facts.member("amount")?.number.flatMap({ Amount($0) })
      else { continue }
      // The node lists rewards of replaced blocks as if unconfirmed.
      guard
        facts.member("details")?.children.contains(where: { $0.member("category")?.string == "orphan" })
          != true
      else { continue }
      let fee = facts.member("fee")?.number.flatMap { Amount($0) }
      let entry = Entry(
        net: (amount + (fee ?? .zero)).multiplied(byPowerOfTen: 8).canonicalText,
        fee: fee.map { (-$0).multiplied(byPowerOfTen: 8).canonicalText },
        height: facts.member("blockheight")?.number.flatMap { UInt64($0) })
      if entry.height ?? .max >= height { history[id] = entry }
    }
    return history
  }

  /// Returns a source's findings in the same form.
  func history(_ findings: WalletFindings) throws -> [String: Entry] {
    let own = Set(try (0...100).flatMap { try [address($0), changeAddress($0)] })
    var history: [String: Entry] = [:]
    for found in findings.transactions.map(\.transaction) where found.transactionStatus != .dropped {
      let id = try #require(PackedText.text(found.hash))
      let amount = try #require(Amount(found.amount))
      let fee = found.hasFee ? Amount(found.fee) : nil
      let isOutgoing = PackedText.text(found.from).map(own.contains) ?? false
      history[id] = Entry(
        net: (isOutgoing ? -(amount + (fee ?? .zero)) : amount).canonicalText, fee: fee?.canonicalText,
        height: found.hasBlockNumber ? found.blockNumber : nil)
    }
    return history
  }
}
