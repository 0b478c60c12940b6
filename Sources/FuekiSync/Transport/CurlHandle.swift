internal import CCurl
internal import FoundationEssentials

/// What libcurl needs for one exchange at a time, with the connection that it keeps for the next one.
///
/// Safe, and unchecked, because nothing but ``cancel()`` is called during an exchange, which libcurl allows.
@safe final class CurlHandle: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// Nil without libcurl.
  init?() {
    guard let handle = unsafe fueki_curl_open() else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe fueki_curl_close(handle) }

  /// Ends the exchange, or the next one, which is the last in both cases.
  func cancel() { unsafe fueki_curl_cancel(handle) }

  /// Sends a request and waits for the whole answer.
  ///
  /// The URL and the header fields are not the request's own: they have its credential.
  func exchange(
    _ url: URL, _ fields: [(name: String, value: String)], _ request: HTTPRequest
  ) throws(TransportError) -> HTTPResponse {
    for field in fields { unsafe fueki_curl_add_field(handle, "\(field.name): \(field.value)") }
    var answer = unsafe fueki_curl_answer()
    let code = unsafe fueki_curl_exchange(
      handle, url.absoluteString, request.method == .post ? 1 : 0, request.body, request.body.count,
      request.bodyLimit, max(1, Int(request.deadline / .milliseconds(1))), &answer)
    if let error = error(code, limit: request.bodyLimit) { throw error }
    if let redirection = unsafe answer.redirection {
      let place = unsafe URL(string: String(cString: redirection))
      throw .redirected(to: place?.host() ?? "an unknown place")
    }
    return unsafe HTTPResponse(
      status: answer.status, headers: headers(),
      body: Array(UnsafeBufferPointer(start: answer.body, count: answer.body_count)))
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

  private func error(_ code: Int32, limit: Int) -> TransportError? {
    switch Int(code) {
    case FUEKI_CURL_OK: nil
    case FUEKI_CURL_CANCELLED: .cancelled
    case FUEKI_CURL_TIMED_OUT: .deadline
    case FUEKI_CURL_TOO_LARGE: .tooLarge(limit: limit)
    case FUEKI_CURL_MALFORMED_URL: .invalidURL
    case FUEKI_CURL_NO_HOST, FUEKI_CURL_NO_PROXY: .unreachable(reason: "there is no such host")
    case FUEKI_CURL_NO_CONNECTION: .unreachable(reason: "no connection")
    case FUEKI_CURL_NOT_TRUSTED, FUEKI_CURL_NO_TLS, FUEKI_CURL_NO_AUTHORITIES:
      .notTrusted(reason: "its certificate is not valid")
    default: .unreachable(reason: "the connection broke off")
    }
  }
}
