/// The transport of the bundled program, which has no network.
public final class CurlTransport: Transport {
  /// Creates a transport that always fails.
  public init() {}

  /// Fails.
  ///
  /// - Throws: ``TransportError/unreachable(reason:)``, always.
  public func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    throw .unreachable(reason: "this program has no network")
  }
}
