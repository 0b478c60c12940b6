/// Carries one request to a server and its answer back.
///
/// There are two: ``URLSessionTransport`` for the network, and what tests put in its place to see every request.
/// Sources do not use one themselves but a ``ServerClient``, which keeps to the servers' manners.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// Any HTTP status but a redirection is an answer; whether it is worth another try is ``RetryRule``'s business.
  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// A request to a server.
public struct HTTPRequest: Sendable {
  /// The methods that chains are asked with.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case head = "HEAD"
  }

  /// How it is asked.
  public var method: Method
  /// Where it goes: `http` or `https`, with no user or password in it.
  public var url: String
  /// Header fields besides those that the transport sets.
  public var headers: [String: String] = [:]
  /// Who asks, as a header field that the transport makes at the last moment; nil where the server asks nobody.
  public var credential: EndpointCredential?
  /// What is posted.
  public var body: [UInt8]
  /// The most bytes that an answer may have.
  public var bodyLimit = 16 << 20
  /// How long the whole exchange may take, connecting and the last byte included.
  public var deadline: Duration = .seconds(30)

  /// A request, with nothing posted unless it is said.
  public init(_ method: Method = .get, _ url: String, body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.body = body
  }

  /// The server and nothing else of the URL, such as `https://node.example:8545`: paths may hold a key, and what
  /// stands before the server a password.
  public var server: String {
    // A program's data are in a directory.
    guard !url.hasPrefix("/") else { return url }
    let start = url.range(ofFirst: "://") ?? url.startIndex
    let place = url[start...].prefix { !"/?#".contains($0) }
    let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    return (url[..<start] + host).lowercased()
  }
}

/// What a server answered.
public struct HTTPResponse: Sendable {
  /// 200, 404, and so on.
  public let status: Int
  /// Header fields, their names in lower case.
  public let headers: [String: String]
  /// The whole body.
  public let body: [UInt8]

  /// An answer, its header fields' names in lower case.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why there is no answer.
public enum TransportError: Error, Equatable, Sendable {
  /// The text is no URL of a kind that is spoken here.
  case invalidURL
  /// A credential would go to another machine where everyone on the way can read it.
  case credentialInTheClear
  /// No connection, or one that broke off.
  case unreachable(reason: String)
  /// The other side's certificate does not hold: never tried again.
  case notTrusted(reason: String)
  /// The whole exchange took longer than it may.
  case deadline
  /// More bytes came than were allowed.
  case tooLarge(limit: Int)
  /// The server sends elsewhere: never followed, for elsewhere was not agreed to.
  case redirected(to: String)
  /// The task was cancelled.
  case cancelled
}

extension String {
  /// The index behind the first occurrence of an ASCII text.
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
