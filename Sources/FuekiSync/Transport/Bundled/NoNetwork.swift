/// What stands for the network in the program beside the archives, which has none.
public final class URLSessionTransport: Transport {
  /// A transport that carries nothing.
  public init() {}

  /// Fails.
  ///
  /// - Throws: ``TransportError/unreachable(reason:)``, always.
  public func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    throw .unreachable(reason: "this program has no network")
  }
}
