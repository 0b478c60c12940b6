// URLError and NSObject are not in FoundationEssentials.
internal import Foundation
internal import FoundationNetworking
internal import FuekiSystem

/// Receives URLSession's callbacks and passes them to their exchanges.
///
/// Cancelling a task must be left to the exchange's waiter, because here it could block forever
/// (``ListenerQueue``).
final class ExchangeListener: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Locked<[Int: PendingExchange]>([:])

  func follow(_ task: URLSessionTask, as exchange: PendingExchange) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  private func exchange(_ task: URLSessionTask) -> PendingExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    guard let exchange = exchange(task) else { return }
    exchange.whileOpen(ending: true) { completionHandler(nil) }
    exchange.finish(.failure(.redirected(to: request.url?.host() ?? "an unknown place")))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    guard let exchange = exchange(dataTask) else { return }
    guard let response = response as? HTTPURLResponse else {
      return exchange.whileOpen(ending: true) { completionHandler(.cancel) }
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers[name.lowercased()] = value
    }
    let isWanted = exchange.begin(
      status: response.statusCode, headers: headers, announced: response.expectedContentLength)
    // URLSession would ask for a password, and hang if the only one was refused.
    let isRefused = response.statusCode == 401
    let goesOn = isWanted && !isRefused
    exchange.whileOpen(ending: !goesOn) { completionHandler(goesOn ? .allow : .cancel) }
    if !isWanted { exchange.refuse() } else if isRefused { exchange.complete() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.append(data)
  }

  /// Ends an exchange whose connection broke off after earlier exchanges on it.
  ///
  /// The HTTP client repeats such a request on a new connection, without its body, which it no longer has. No answer
  /// would come before the deadline.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    exchange(task)?.finish(.failure(.unreachable(reason: "the connection broke off")))
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.endsOfItself()
    if let error {
      exchange.finish(.failure(Self.reading(error)))
    } else {
      exchange.complete()
    }
  }

  /// Translates an error without the URL, which URLSession's text includes.
  private static func reading(_ error: any Error) -> TransportError {
    guard let error = error as? URLError else { return .unreachable(reason: "the HTTP client failed") }
    switch error.code {
    case .cancelled: return .cancelled
    case .timedOut: return .deadline
    case .badURL, .unsupportedURL: return .invalidURL
    case .cannotFindHost, .dnsLookupFailed: return .unreachable(reason: "there is no such host")
    case .cannotConnectToHost: return .unreachable(reason: "no connection")
    case .networkConnectionLost: return .unreachable(reason: "the connection broke off")
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      return .notTrusted(reason: "its certificate is not valid")
    default:
      // One code covers an invalid certificate and a truncated answer. Only the text distinguishes them.
      let text = "\(error)".lowercased()
      return ["ssl", "tls", "certificate"].contains(where: text.contains)
        ? .notTrusted(reason: "its certificate is not valid")
        : .unreachable(reason: "the connection broke off")
    }
  }
}
