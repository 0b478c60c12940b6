import FuekiSync
import FuekiWallet

/// A node in the form that Bitcoin Core documents, whose wallet lists payments to some of the descriptor's
/// indices.
struct CoreStub: Transport {
  let tip: String
  var places: [UInt32] = []
  var height = "90"
  var amount = "0.00000001"
  var balance = "0"

  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard let call = try? JSONDocument(request.body, limit: request.body.count).root,
      let method = call.member("method")?.string
    else { return HTTPResponse(status: 400, body: []) }
    let first = call.member("params")?.children.first { _ in true }?.string ?? ""
    let body = #"{"result":\#(result(of: method, first)),"error":null,"id":1}"#
    return HTTPResponse(status: 200, body: Array(body.utf8))
  }

  private static func id(_ place: UInt32) -> String {
    String((HostileBitcoinTests.id("0") + String(place)).suffix(64))
  }

  private func result(of method: String, _ first: String) -> String {
    switch method {
    case "getblockhash": return "\"\(HostileBitcoinTests.regtest)\""
    case "listwallets", "importdescriptors": return "[]"
    case "getwalletinfo": return #"{"private_keys_enabled":false,"descriptors":true,"scanning":false}"#
    case "getaddressinfo": return #"{"labels":[]}"#
    case "getblockchaininfo":
      return #"{"blocks":\#(tip),"headers":\#(tip),"bestblockhash":"\#(HostileBitcoinTests.id("a"))"}"#
    case "getblockheader": return #"{"time":1700000000}"#
    case "getbalances":
      return #"{"mine":{"trusted":\#(balance),"untrusted_pending":\#(balance),"immature":0}}"#
    case "listsinceblock":
      let listed = places.map { #"{"txid":"\#(Self.id($0))"}"# }
      return #"{"transactions":[\#(listed.joined(separator: ","))],"removed":[]}"#
    case "gettransaction": return transaction(first)
    default: return "{}"
    }
  }

  private func transaction(_ id: String) -> String {
    guard let place = UInt32(id.drop { $0 == "0" }.isEmpty ? "0" : id.drop { $0 == "0" }),
      let script = try? Descriptor(parsing: TestKeys.descriptors[0]).scriptPubKey(at: place)
    else { return "null" }
    let hex = script.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return #"{"txid":"\#(id)","confirmations":10,"blockheight":\#(height),"blocktime":1700000000,"#
      + #""blockhash":"\#(HostileBitcoinTests.id("b"))","details":[],"decoded":{"vin":[{}],"#
      + #""vout":[{"value":\#(amount),"scriptPubKey":{"hex":"\#(hex)"}}]}}"#
  }
}
