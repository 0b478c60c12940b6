internal import Dispatch
internal import FoundationEssentials
internal import FoundationNetworking
internal import FuekiSystem

/// The network, through the system's HTTP client.
///
/// It keeps nothing between requests: no cookies, no cache, no credentials. It uses the environment's
/// proxies, as curl does, and requires certificates from an authority that the system trusts.
public final class URLSessionTransport: Transport {
  private let listener = ExchangeListener()
  /// Created for the first request, because creating one leaves directories in the user's home, whatever its
  /// configuration.
  private let session = Locked<URLSession?>(nil)

  /// Creates a transport, which can send many requests concurrently.
  public init() {}

  private static func session(_ listener: ExchangeListener) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = 8
    return URLSession(configuration: configuration, delegate: listener, delegateQueue: ListenerQueue())
  }

  // A session and its threads live until invalidated. Its tasks have ended or are being cancelled.
  deinit { session.withLock { $0?.finishTasksAndInvalidate() } }

  /// Sends a request and waits for the whole answer, up to the request's deadline.
  public func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let prepared = try Self.prepared(request)
    let task = session.withLock { session in
      let made = session ?? Self.session(listener)
      session = made
      return made.dataTask(with: prepared)
    }
    let exchange = PendingExchange(limit: request.bodyLimit)
    listener.follow(task, as: exchange)
    // URLSession's own timeouts restart with every byte, so a slow server could stall an exchange.
    let watch = Task {
      try await Task.sleep(for: request.deadline)
      exchange.finish(.failure(.deadline))
    }
    defer { watch.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchange.onFinish { continuation.resume(returning: $0) }
        task.resume()
      }
    } onCancel: {
      exchange.finish(.failure(.cancelled))
    }
    // Cancelling waits for the session, which may be busy with an endless answer. Do not wait for it here.
    if case .failure = outcome {
      DispatchQueue.global().async { if exchange.needsCancelling { task.cancel() } }
    }
    return try outcome.get()
  }

  private static func prepared(_ request: HTTPRequest) throws(TransportError) -> URLRequest {
    guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host()?.lowercased(), !host.isEmpty,
      url.user() == nil, url.password() == nil
    else { throw .invalidURL }
    var prepared = URLRequest(url: try withQuery(url, request.credential, scheme: scheme, host: host))
    prepared.httpMethod = request.method.rawValue
    // A day: the deadline is enforced above, and no other timeout should end an exchange.
    prepared.timeoutInterval = 86_400
    prepared.httpShouldHandleCookies = false
    prepared.setValue("fueki-backup", forHTTPHeaderField: "User-Agent")
    for (name, value) in request.headers { prepared.setValue(value, forHTTPHeaderField: name) }
    if request.method == .post { prepared.httpBody = Data(request.body) }
    if let credential = request.credential, credential.queryItem == nil {
      guard EndpointCredential.mayBeTold(scheme: scheme, host: host) else { throw .credentialInTheClear }
      guard let field = credential.field else { throw .invalidURL }
      prepared.setValue(field.value, forHTTPHeaderField: field.name)
    }
    return prepared
  }

  /// Returns the URL with a credential that must be a parameter.
  private static func withQuery(
    _ url: URL, _ credential: EndpointCredential?, scheme: String, host: String
  ) throws(TransportError) -> URL {
    guard let item = credential?.queryItem else { return url }
    guard EndpointCredential.mayBeTold(scheme: scheme, host: host) else { throw .credentialInTheClear }
    let joint = url.query() == nil ? "?" : "&"
    guard let whole = URL(string: url.absoluteString + joint + item) else { throw .invalidURL }
    return whole
  }
}
