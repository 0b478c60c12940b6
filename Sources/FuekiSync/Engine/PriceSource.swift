internal import FuekiBackup
internal import FuekiWallet

/// A source of an asset's price.
public struct PriceSource: Sendable {
  /// The asset's name in the result.
  public let asset: String
  /// The currency.
  public let currency: String
  private let endpoint: ServerEndpoint<String>

  /// Creates a source of a price.
  ///
  /// - Parameters:
  ///   - asset: the asset's name.
  ///   - currency: the currency's name.
  ///   - url: the URL, in which `{asset}` and `{currency}` are replaced.
  ///   - path: the member names that lead to the number in the answer, separated by dots.
  ///   - credential: the credential.
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
    let path = path.split(separator: ".").map { fill(String($0)) }
    endpoint = ServerEndpoint(request, kind: .price) { response throws(SyncError) in
      try Self.number(try response.successful(), path)
    }
  }

  /// Returns the price as the server writes it.
  package func answer(_ client: ServerClient) async throws(SyncError) -> String {
    try await client.answer(endpoint)
  }

  func fetch(
    _ client: ServerClient, _ ledger: any WalletLedger, at time: Double
  ) async throws(SyncFailure) -> AssetPrice {
    let text: String
    do throws(SyncError) {
      text = try await answer(client)
    } catch {
      throw .allFailed([SourceAttempt(SourcePlace(kind: "price", server: endpoint.request.server), error)])
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

/// The result of a price request.
public struct PriceOutcome: Sendable {
  /// The asset's name.
  public let asset: String
  /// The currency.
  public let currency: String
  /// An exact decimal number; nil if unknown.
  public let price: String?
  /// Its age in seconds, if it is not new.
  public let age: Double?
  /// Why it is not new.
  public let problem: SyncFailure?
}
