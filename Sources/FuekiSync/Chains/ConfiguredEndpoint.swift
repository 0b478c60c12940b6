/// A server in the configuration.
public struct ConfiguredEndpoint: Sendable {
  /// The source's kind; see ``ChainSources``.
  public var kind: String
  /// The chain, such as "1" or "bitcoin"; nil for all chains of the kind.
  public var chain: String?
  /// The server's URL.
  public var url: String
  /// The priority, lowest first.
  ///
  /// A wallet's own endpoints precede those with the same number.
  public var priority: Int32
  /// The credential.
  ///
  /// It is also used for a wallet's endpoint with the same URL.
  public var credential: EndpointCredential?

  /// Creates an endpoint.
  public init(
    kind: String, chain: String? = nil, url: String, priority: Int32 = 0,
    credential: EndpointCredential? = nil
  ) {
    self.kind = kind
    self.chain = chain
    self.url = url
    self.priority = priority
    self.credential = credential
  }
}
