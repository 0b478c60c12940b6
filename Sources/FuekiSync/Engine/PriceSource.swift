internal import FuekiBackup
internal import FuekiWallet

/// Where the price of one asset is asked for.
public struct PriceSource: Sendable {
  /// The asset, by the name that the answer goes by.
  public let asset: String
  /// The currency.
  public let currency: String
  private let request: HTTPRequest
  private let path: [String]

  /// A source of a price.
  ///
  /// - Parameters:
  ///   - asset: the asset's name.
  ///   - currency: the currency's.
  ///   - url: where to ask; `{asset}` and `{currency}` in it stand for the two.
  ///   - path: the names of members that lead to the number in the answer, with dots between them.
  ///   - credential: who asks.
  public init(
    asset: String, currency: String, url: String, path: String, credential: EndpointCredential? = nil
  ) {
    self.asset = asset
    self.currency = currency
    let fill = { (text: String) in
      text.replacing("{asset}", with: asset).replacing("{currency}", with: currency)
    }
    var request = HTTPRequest(.get, fill(url))
    request.credential = credential
    request.bodyLimit = 1 << 20
    self.request = request
    self.path = path.split(separator: ".").map { fill(String($0)) }
  }

  /// The price as its server says it.
  package func answer(_ client: ServerClient) async throws(SyncError) -> String {
    try await client.ask(request) { response throws(SyncError) in
      try Self.number(try response.successful(), path)
    }
  }

  func fetch(
    _ client: ServerClient, _ ledger: any WalletLedger, at time: Double
  ) async throws(SyncFailure) -> AssetPrice {
    let text: String
    do throws(SyncError) {
      text = try await answer(client)
    } catch {
      throw .allFailed([SourceAttempt(SourcePlace(kind: "price", server: request.server), error)])
    }
    let price = AssetPrice(
      asset: asset, currency: currency, price: text, fetchedAt: Int64(time * 1_000_000))
    do { try ledger.keep(price) } catch { throw .store(.priceNotKept) }
    return price
  }

  private static func number(_ body: [UInt8], _ path: [String]) throws(SyncError) -> String {
    guard let document = try? JSONDocument(body, limit: body.count) else {
      throw .malformed(what: "a price that is no JSON")
    }
    var value: JSONValue? = document.root
    for name in path { value = value?.member(name) }
    guard let text = value?.number ?? value?.string, text.utf8.count <= 64, let amount = Amount(text),
      !amount.isNegative, case let digits = amount.canonicalText, digits.utf8.count <= 64
    else {
      throw .malformed(what: "no price at \(path.joined(separator: "."))")
    }
    return digits
  }
}

/// What asking for a price came to.
public struct PriceOutcome: Sendable {
  /// The asset's name.
  public let asset: String
  /// The currency.
  public let currency: String
  /// An exact decimal number; nil where none is known.
  public let price: String?
  /// How old it is in seconds, where it is from before.
  public let age: Double?
  /// Why it is not newer.
  public let problem: SyncFailure?
}
