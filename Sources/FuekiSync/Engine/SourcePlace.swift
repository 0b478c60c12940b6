/// A source for people.
public struct SourcePlace: Equatable, Sendable {
  /// The source's kind, such as "ethereum-rpc".
  public let kind: String
  /// Its server, without path or credential.
  public let server: String

  /// Creates a place.
  public init(kind: String, server: String) {
    self.kind = kind
    self.server = server
  }
}
