internal import CCurl

/// What libcurl needs for one exchange at a time, with the connection that it keeps for the next one.
///
/// Safe, and unchecked, because nothing but ``cancel()`` is called during an exchange, which libcurl allows.
@safe package final class CurlHandle: @unchecked Sendable {
  /// A request.
  package struct Request: Sendable {
    /// The method's name, such as `GET`.
    package var method: String
    /// The URL, with a credential that must be in it.
    package var url: String
    package var fields: [(name: String, value: String)]
    /// The body, which may be empty; nil for none.
    package var body: [UInt8]?
    /// The limit of the answer's body in bytes.
    package var bodyLimit: Int
    /// The time limit of the whole exchange.
    package var milliseconds: Int

    package init(
      _ method: String, url: String, fields: [(name: String, value: String)], body: [UInt8]?, bodyLimit: Int,
      milliseconds: Int
    ) {
      (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
      (self.bodyLimit, self.milliseconds) = (bodyLimit, milliseconds)
    }
  }

  package struct Answer: Sendable {
    package let status: Int
    /// Header fields, their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
    /// Where a redirection leads; nil for other answers.
    package let redirection: String?
  }

  /// Why there is no answer.
  package enum Failure: Error {
    case malformedURL, noHost, noConnection, notTrusted, timedOut, tooLarge, cancelled, brokenOff
  }

  private let handle: UnsafeMutableRawPointer

  /// Nil without libcurl.
  package init?() {
    guard let handle = unsafe fueki_curl_open() else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe fueki_curl_close(handle) }

  /// Ends the exchange, or the next one, which is the last in both cases.
  package func cancel() { unsafe fueki_curl_cancel(handle) }

  /// Sends a request and waits for the whole answer.
  package func exchange(_ request: Request) throws(Failure) -> Answer {
    for field in request.fields { unsafe fueki_curl_add_field(handle, "\(field.name): \(field.value)") }
    let body = request.body ?? []
    var answer = unsafe fueki_curl_answer()
    let code = unsafe fueki_curl_exchange(
      handle, request.method, request.url, request.body == nil ? 0 : 1, body, body.count,
      request.bodyLimit, max(1, request.milliseconds), &answer)
    if let failure = failure(code) { throw failure }
    return unsafe Answer(
      status: answer.status, headers: headers(),
      body: Array(UnsafeBufferPointer(start: answer.body, count: answer.body_count)),
      redirection: answer.redirection.map { unsafe String(cString: $0) })
  }

  /// The header of the last answer.
  private func headers() -> [String: String] {
    var headers: [String: String] = [:]
    var (name, value) = unsafe (nil as UnsafePointer<CChar>?, nil as UnsafePointer<CChar>?)
    var field: UnsafeRawPointer?
    while true {
      unsafe field = fueki_curl_next_field(handle, field, &name, &value)
      guard unsafe field != nil, let name = unsafe name, let value = unsafe value else { return headers }
      unsafe headers[String(cString: name).lowercased()] = String(cString: value)
    }
  }

  private func failure(_ code: Int32) -> Failure? {
    switch Int(code) {
    case FUEKI_CURL_OK: nil
    case FUEKI_CURL_CANCELLED: .cancelled
    case FUEKI_CURL_TIMED_OUT: .timedOut
    case FUEKI_CURL_TOO_LARGE: .tooLarge
    case FUEKI_CURL_MALFORMED_URL: .malformedURL
    case FUEKI_CURL_NO_HOST, FUEKI_CURL_NO_PROXY: .noHost
    case FUEKI_CURL_NO_CONNECTION: .noConnection
    case FUEKI_CURL_NOT_TRUSTED, FUEKI_CURL_NO_TLS, FUEKI_CURL_NO_AUTHORITIES: .notTrusted
    default: .brokenOff
    }
  }
}
