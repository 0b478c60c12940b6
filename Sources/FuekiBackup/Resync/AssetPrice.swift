/// The price of one unit of an asset.
public struct AssetPrice: Equatable, Sendable {
  /// The asset's name where its price is from, such as "ethereum".
  public let asset: String
  /// The currency, such as "eur".
  public let currency: String
  /// An exact decimal number.
  public let price: String
  /// The time of the request, in microseconds since 1970.
  public let fetchedAt: Int64

  /// A price.
  public init(asset: String, currency: String, price: String, fetchedAt: Int64) {
    self.asset = asset
    self.currency = currency
    self.price = price
    self.fetchedAt = fetchedAt
  }
}
