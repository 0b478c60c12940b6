internal import FuekiWallet

/// A transaction from a node's wallet, which references its inputs without describing them.
struct CoreTransaction: Sendable {
  let id: String
  /// The references of its inputs; nil for coinbase inputs.
  let inputs: [(id: String, output: Int)?]
  let outputs: [BitcoinTransaction.Coin]
  /// The fee paid by the wallet; nil if it did not pay.
  let fee: Int128?
  /// Its block; nil if it is in none.
  let block: Checkpoint?
  /// Whether it was replaced or abandoned.
  let hasLost: Bool

  /// Parses the answer of `gettransaction`, including the decoded transaction.
  init(_ answer: ServerAnswer, _ bounds: CoinBounds) throws(SyncError) {
    id = try answer["txid"].hash
    let decoded = try answer["decoded"]
    inputs = try decoded["vin"].elements.map { input throws(SyncError) in
      guard let id = input.optional("txid") else { return nil }
      return (try id.hash, Int(clamping: try input["vout"].count))
    }
    outputs = try decoded["vout"].elements.map { output throws(SyncError) in
      let script = try output["scriptPubKey"]
      // Before version 22 there was a list, which for multisig names addresses other than the script's.
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

  /// Returns the transaction with its inputs described, as far as they are known.
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
