/// Sends one request to a server and returns its answer.
///
/// There are two: ``CurlTransport`` for the network, and the tests' own, which observes every request.
/// Sources use a ``ServerClient`` instead, which respects the servers' limits.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// Any HTTP status except a redirection is an answer. ``RetryRule`` decides on retries.
  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// A request to a server.
public struct HTTPRequest: Sendable {
  /// The HTTP methods in use.
  public enum Method: String, Sendable {
    /// Reads.
    case get = "GET"
    /// Adds, or calls a procedure.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Removes.
    case delete = "DELETE"

    /// Whether the request has a body, possibly an empty one.
    var sendsBody: Bool { self == .post || self == .put }
  }

  /// The method.
  public var method: Method
  /// The URL: `http` or `https`, without user or password.
  public var url: String
  /// Header fields in addition to the transport's.
  public var headers: [String: String] = [:]
  /// The credential, added by the transport at the last moment; nil if none is needed.
  public var credential: EndpointCredential?
  /// The request body.
  public var body: [UInt8]
  /// The limit of the answer in bytes.
  public var bodyLimit = 16 << 20
  /// The time limit of the whole exchange, from connecting to the last byte.
  public var deadline: Duration = .seconds(30)
  /// Whether the request only reads, so that sending it again does no harm.
  ///
  /// ``ServerClient`` never sends any other request again: if its answer was lost, it may have been carried out.
  public var isRead: Bool

  /// Creates a request, by default with an empty body.
  public init(_ method: Method = .get, _ url: String, body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.body = body
    isRead = method == .get
  }

  /// The server part of the URL, such as `https://node.example:8545`.
  ///
  /// The path may contain a key, and the part before the server a password.
  public var server: String {
    // A program's data is in a directory.
    guard !url.hasPrefix("/") else { return url }
    let start = url.range(ofFirst: "://") ?? url.startIndex
    let place = url[start...].prefix { !"/?#".contains($0) }
    let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    return (url[..<start] + host).lowercased()
  }
}

/// A server's answer.
public struct HTTPResponse: Sendable {
  /// The status code, such as 200 or 404.
  public let status: Int
  /// Header fields, their names in lower case.
  public let headers: [String: String]
  /// The whole body.
  public let body: [UInt8]

  /// Creates an answer.
  ///
  /// The names of header fields must be in lower case.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why there is no answer.
public enum TransportError: Error, Equatable, Sendable {
  /// The text is not a supported URL.
  case invalidURL
  /// A credential would be sent unencrypted to another machine.
  case credentialInTheClear
  /// The connection failed or broke off.
  case unreachable(reason: String)
  /// The server's certificate is invalid.
  ///
  /// Never retried.
  case notTrusted(reason: String)
  /// The exchange exceeded its time limit.
  case deadline
  /// The answer exceeded its limit.
  case tooLarge(limit: Int)
  /// The server redirects elsewhere.
  ///
  /// Never followed, because the user did not agree to that server.
  case redirected(to: String)
  /// The task was cancelled.
  case cancelled
}

extension String {
  /// Returns the index after the first occurrence of an ASCII text.
  fileprivate func range(ofFirst text: StaticString) -> Index? {
    let wanted = Array("\(text)".utf8)
    var start = utf8.startIndex
    while start < utf8.endIndex {
      if utf8[start...].starts(with: wanted) { return utf8.index(start, offsetBy: wanted.count) }
      start = utf8.index(after: start)
    }
    return nil
  }
}
