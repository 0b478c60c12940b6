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
    let sent = CurlHandle.Request(
      request.method.rawValue, url: url.absoluteString, fields: fields,
      body: request.method.sendsBody ? request.body : nil,
      bodyLimit: request.bodyLimit, milliseconds: Int(request.deadline / .milliseconds(1)))
    let outcome = await withTaskCancellationHandler {
      try? await OwnThread.run { Result { () throws(CurlHandle.Failure) in try handle.exchange(sent) } }
    } onCancel: {
      handle.cancel()
    }
    if !Task.isCancelled { handles.withLock { $0.append(handle) } }
    switch outcome {
    case .none: throw .unreachable(reason: "no thread is available")
    case .failure(let failure): throw Self.error(failure, limit: request.bodyLimit)
    case .success(let answer):
      if let place = answer.redirection {
        throw .redirected(to: URL(string: place)?.host() ?? "an unknown place")
      }
      return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }
  }

  private static func error(_ failure: CurlHandle.Failure, limit: Int) -> TransportError {
    switch failure {
    case .malformedURL: .invalidURL
    case .noHost: .unreachable(reason: "there is no such host")
    case .noConnection: .unreachable(reason: "no connection")
    case .notTrusted: .notTrusted(reason: "its certificate is not valid")
    case .timedOut: .deadline
    case .tooLarge: .tooLarge(limit: limit)
    case .cancelled: .cancelled
    case .brokenOff: .unreachable(reason: "the connection broke off")
    }
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
