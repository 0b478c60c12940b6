internal import FoundationEssentials
internal import FuekiSystem

/// The network, through libcurl.
///
/// It keeps nothing between requests but connections: no cookies, no cache, no credentials. It uses the environment's
/// proxies, as curl does, and requires certificates from an authority that the system trusts.
public final class CurlTransport: Transport {
  /// Those that no exchange uses.
  private let handles = Locked<[CurlHandle]>([])

  /// Creates a transport, which can send many requests concurrently.
  public init() {}

  /// Sends a request and waits for the whole answer, up to the request's deadline.
  public func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let (url, fields) = try Self.prepared(request)
    guard let handle = handles.withLock({ $0.popLast() }) ?? CurlHandle() else {
      throw .unreachable(reason: "libcurl is missing")
    }
    let outcome = await withTaskCancellationHandler {
      try? await OwnThread.run {
        Result { () throws(TransportError) in try handle.exchange(url, fields, request) }
      }
    } onCancel: {
      handle.cancel()
    }
    if !Task.isCancelled { handles.withLock { $0.append(handle) } }
    guard let outcome else { throw .unreachable(reason: "no thread is available") }
    return try outcome.get()
  }

  private static func prepared(
    _ request: HTTPRequest
  ) throws(TransportError) -> (URL, [(name: String, value: String)]) {
    guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host()?.lowercased(), !host.isEmpty,
      url.user() == nil, url.password() == nil
    else { throw .invalidURL }
    let fields = request.headers.map { (name: $0.key, value: $0.value) }
    guard let credential = request.credential else { return (url, fields) }
    guard EndpointCredential.mayBeTold(scheme: scheme, host: host) else { throw .credentialInTheClear }
    if let item = credential.queryItem {
      let joint = url.query() == nil ? "?" : "&"
      guard let whole = URL(string: url.absoluteString + joint + item) else { throw .invalidURL }
      return (whole, fields)
    }
    guard let field = credential.field else { throw .invalidURL }
    return (url, fields + [field])
  }
}
