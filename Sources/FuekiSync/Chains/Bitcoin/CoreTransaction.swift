internal import FuekiWallet

/// A transaction as a node's wallet tells it: what it spends is named, not described.
struct CoreTransaction: Sendable {
  let id: String
  /// The transactions and outputs that it spends; nil for new coins.
  let inputs: [(id: String, output: Int)?]
  let outputs: [BitcoinTransaction.Coin]
  /// What the wallet paid to miners; nil where it did not pay.
  let fee: Int128?
  /// Where it is; nil where it is in no block.
  let block: Checkpoint?
  /// Whether another took its coins, or it was given up.
  let hasLost: Bool

  /// Reads the answer of `gettransaction` with the decoded transaction in it.
  init(_ answer: ServerAnswer, _ bounds: CoinBounds) throws(SyncError) {
    id = try answer["txid"].hash
    let decoded = try answer["decoded"]
    inputs = try decoded["vin"].elements.map { input throws(SyncError) in
      guard let id = input.optional("txid") else { return nil }
      return (try id.hash, Int(clamping: try input["vout"].count))
    }
    outputs = try decoded["vout"].elements.map { output throws(SyncError) in
      let script = try output["scriptPubKey"]
      // Before version 22 there was a list, which for several keys names addresses that are not the script's.
      let addresses = try script.optional("addresses")?.elements ?? []
      let address = script.optional("address") ?? (addresses.count == 1 ? addresses[0] : nil)
      return BitcoinTransaction.Coin(
        script: try script["hex"].text, address: try address?.text, value: try output["value"].coins(bounds))
    }
    fee = try answer.optional("fee").map { fee throws(SyncError) in try -fee.coins(bounds) }
    let confirmations = try answer["confirmations"].integer
    let details = try answer.optional("details")?.elements ?? []
    var hasLost = confirmations < 0
    for detail in details {
      if try detail.optional("abandoned")?.isTrue == true { hasLost = true }
      if try detail.optional("category")?.text == "orphan" { hasLost = true }
    }
    self.hasLost = hasLost
    guard confirmations > 0 else {
      block = nil
      return
    }
    var place = Checkpoint()
    place.height = try answer["blockheight"].height
    place.hash = PackedText.pack(try answer["blockhash"].hash)
    place.time = try answer["blocktime"].time
    block = place
  }

  /// The transaction with what it spends, as far as that is among these.
  func described(by known: [String: CoreTransaction]) -> BitcoinTransaction {
    BitcoinTransaction(
      id: id,
      inputs: inputs.map { input in
        guard let input, let outputs = known[input.id]?.outputs, input.output < outputs.count else {
          return nil
        }
        return outputs[input.output]
      },
      outputs: outputs, fee: fee.flatMap { $0 < 0 ? nil : $0 }, block: block)
  }
}
