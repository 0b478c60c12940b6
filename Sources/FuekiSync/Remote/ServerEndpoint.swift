internal import FoundationEssentials
internal import FuekiCrypto

/// A request to a server, and how to read its answer.
///
/// Named apart from `Endpoint`, the record of a wallet's server.
public struct ServerEndpoint<Answer: Sendable>: Sendable {
  /// The request.
  public var request: HTTPRequest
  /// The kind of the answer.
  public let kind: DataKind
  let reading: @Sendable (HTTPResponse) throws(SyncError) -> Answer

  /// Creates an endpoint.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - kind: the kind of the answer.
  ///   - reading: parses an answer of any status.
  public init(
    _ request: HTTPRequest, kind: DataKind = .other,
    reading: @escaping @Sendable (HTTPResponse) throws(SyncError) -> Answer
  ) {
    self.request = request
    self.kind = kind
    self.reading = reading
  }

  /// The answer's name in a cache: all of the request but its credential.
  var key: String {
    let headers = request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let body = request.method.sendsBody ? [SHA256.hash(request.body).hex] : []
    return (["\(request.method.rawValue) \(request.url)"] + headers + body).joined(separator: "\n")
  }
}

/// What is around an answer in a server's JSON.
public enum Envelope: Sendable {
  /// Nothing.
  case none
  /// An object with the answer as its member `data`.
  case data
}

extension ServerEndpoint where Answer: Decodable {
  /// Reads JSON.
  public static func get(_ url: String, kind: DataKind = .other, in envelope: Envelope = .none) -> Self {
    Self(HTTPRequest(.get, url), kind: kind, in: envelope)
  }

  /// Sends JSON to be added, and reads the JSON that the server returns.
  ///
  /// - Throws: ``SyncError/malformed(what:)`` for a body that has no JSON.
  public static func post(
    _ url: String, _ body: some Encodable, in envelope: Envelope = .none
  ) throws(SyncError) -> Self {
    Self(try HTTPRequest(.post, url, json: body), kind: .other, in: envelope)
  }

  /// Sends JSON to replace what is there, and reads the JSON that the server returns.
  ///
  /// - Throws: ``SyncError/malformed(what:)`` for a body that has no JSON.
  public static func put(
    _ url: String, _ body: some Encodable, in envelope: Envelope = .none
  ) throws(SyncError) -> Self {
    Self(try HTTPRequest(.put, url, json: body), kind: .other, in: envelope)
  }

  private init(_ request: HTTPRequest, kind: DataKind, in envelope: Envelope) {
    self.init(request, kind: kind) { response throws(SyncError) in
      let body = Data(try response.successful())
      do {
        switch envelope {
        case .none: return try JSONDecoder().decode(Answer.self, from: body)
        case .data: return try JSONDecoder().decode(DataMember<Answer>.self, from: body).data
        }
      } catch {
        throw .malformed(what: "JSON of another form than \(Answer.self)")
      }
    }
  }
}

extension ServerEndpoint where Answer == Void {
  /// Removes what is there.
  public static func delete(_ url: String) -> Self {
    Self(HTTPRequest(.delete, url)) { response throws(SyncError) in _ = try response.successful() }
  }
}

extension ServerClient {
  /// Sends an endpoint's request and reads the answer.
  ///
  /// Reads are retried where that helps; see ``HTTPRequest/isRead``.
  ///
  /// - Throws: the last attempt's ``SyncError``.
  public func answer<Answer>(_ endpoint: ServerEndpoint<Answer>) async throws(SyncError) -> Answer {
    try await ask(endpoint.request, reading: endpoint.reading)
  }
}

private struct DataMember<Answer: Decodable>: Decodable {
  let data: Answer
}

extension HTTPRequest {
  fileprivate init(_ method: Method, _ url: String, json body: some Encodable) throws(SyncError) {
    let bytes: Data
    do { bytes = try JSONEncoder().encode(body) } catch { throw .malformed(what: "a body that has no JSON") }
    self.init(method, url, body: [UInt8](bytes))
    headers["Content-Type"] = "application/json"
  }
}
