internal import Dispatch
internal import FoundationEssentials
internal import FoundationNetworking
internal import Synchronization

/// The network, through the system's HTTP client.
///
/// Keeps nothing between requests: no cookies, no cache, no credentials. Proxies are those of the environment, as
/// for curl, and certificates must be signed by an authority that the system trusts.
public final class URLSessionTransport: Transport {
  private let listener = ExchangeListener()
  /// Made for the first request: making one leaves folders in the person's home, whatever it is to keep.
  private let session = Mutex<URLSession?>(nil)

  /// A transport; it can carry many requests at a time.
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

  // A session lives, with its threads, until it is told not to. Its tasks have ended, or are being cancelled.
  deinit { session.withLock { $0?.finishTasksAndInvalidate() } }

  /// Sends a request and waits for the whole answer, but no longer than the request's deadline.
  public func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let prepared = try Self.prepared(request)
    let task = session.withLock { session in
      let made = session ?? Self.session(listener)
      session = made
      return made.dataTask(with: prepared)
    }
    let exchange = PendingExchange(limit: request.bodyLimit)
    listener.follow(task, as: exchange)
    // URLSession's own time-outs start anew with every byte, so that a slow drip would never end.
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
    // It waits for the session, which may be busy with what a server sends without end: nobody waits for that.
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
    // A day: the deadline is watched above, and nothing else should end an exchange.
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

  /// The URL with a credential that can only go there.
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
