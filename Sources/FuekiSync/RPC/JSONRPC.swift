package import FuekiWallet

/// The methods of a JSON-RPC server, such as an Ethereum node or Bitcoin Core.
///
/// Answers keep every digit of numbers; see ``JSONValue/number``.
package struct JSONRPC: Sendable {
  /// A method with its arguments.
  package struct Call: Sendable {
    package let method: String
    package let arguments: [JSONArgument]

    package init(_ method: String, _ arguments: [JSONArgument] = []) {
      self.method = method
      self.arguments = arguments
    }

    fileprivate func text(id: Int) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":\#(JSONArgument.string(method).text),"params":"#
        + JSONArgument.array(arguments).text + "}"
    }
  }

  private let client: ServerClient
  private let template: HTTPRequest

  /// Creates a client for the server at a URL, with a time limit for each answer.
  package init(
    _ client: ServerClient, url: String, credential: EndpointCredential? = nil,
    deadline: Duration = .seconds(30)
  ) {
    self.client = client
    var template = HTTPRequest(.post, url)
    template.deadline = deadline
    // The methods in use read. A Bitcoin Core wallet made or loaded twice is an error that its caller expects.
    template.isRead = true
    template.headers["Content-Type"] = "application/json"
    template.credential = credential
    self.template = template
  }

  /// Calls a method and returns its result, possibly JSON's null.
  ///
  /// `judge` may translate an error for this method before retries are decided.
  package func call(
    _ method: String, _ arguments: [JSONArgument] = [], judge: (SyncError) -> SyncError = { $0 }
  ) async throws(SyncError) -> JSONValue {
    var request = template
    request.body = Array(Call(method, arguments).text(id: 1).utf8)
    return try await client.ask(request) { response throws(SyncError) in
      do throws(SyncError) {
        let document = try Self.document(response)
        // An error may lack the id if the server could not parse it.
        let result = try Self.result(of: document, method)
        guard document.member("id")?.number == "1" else { throw .noSuchAnswer(method) }
        return result
      } catch {
        throw judge(error)
      }
    }
  }

  /// Calls several methods with one request; all succeed or none.
  package func batch(_ calls: [Call]) async throws(SyncError) -> [JSONValue] {
    if calls.isEmpty { return [] }
    var request = template
    let texts = calls.enumerated().map { $1.text(id: $0) }
    request.body = Array("[\(texts.joined(separator: ","))]".utf8)
    return try await client.ask(request) { response throws(SyncError) in
      let document = try Self.document(response)
      guard document.kind == .array else {
        // A server without batch support answers with a single error.
        _ = try Self.result(of: document, "batch")
        throw Self.failure(response) ?? .unsupported(what: "batches")
      }
      var answers: [Int: JSONValue] = [:]
      for answer in document.children {
        guard let id = answer.member("id")?.number.flatMap({ Int($0) }) else { continue }
        answers[id] = answer
      }
      var results: [JSONValue] = []
      for (index, call) in calls.enumerated() {
        guard let answer = answers[index] else { throw .noSuchAnswer(call.method) }
        results.append(try Self.result(of: answer, call.method))
      }
      return results
    }
  }

  private static func document(_ response: HTTPResponse) throws(SyncError) -> JSONValue {
    // A proxy's HTTP status takes precedence over the page that it sends.
    if let failure = failure(response), RetryRule(failure) != .never { throw failure }
    do throws(JSONError) {
      return try JSONDocument(response.body, limit: response.body.count).root
    } catch {
      throw failure(response) ?? .notJSON(error, of: nil)
    }
  }

  private static func failure(_ response: HTTPResponse) -> SyncError? {
    do throws(SyncError) {
      _ = try response.successful()
      return nil
    } catch {
      return error
    }
  }

  private static func result(of answer: JSONValue, _ method: String) throws(SyncError) -> JSONValue {
    if let error = answer.member("error"), error.kind != .null {
      guard let code = error.member("code")?.number.flatMap({ Int($0) }) else {
        throw .malformed(what: "an error without a code")
      }
      guard code != -32601 else { throw .unsupported(what: method) }
      let message = printable(error.member("message")?.string ?? "")
      throw isRateLimit(code, message) ? .rateLimited : .server(code: code, message: message)
    }
    guard let result = answer.member("result") else { throw .noSuchAnswer(method) }
    return result
  }

  /// Whether a server demands fewer requests, which many do only in words and with HTTP 200.
  ///
  /// A called contract may also have chosen its words.
  private static func isRateLimit(_ code: Int, _ message: String) -> Bool {
    let words = message.lowercased()
    guard code != 3, !words.contains("revert") else { return false }
    let limits = ["rate limit", "too many requests", "request limit", "per second"]
    return code == 429 || limits.contains(where: words.contains)
  }

  /// Returns a server's text reduced to printable ASCII.
  package static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(200).filter { (" "..."~").contains($0) }))
  }
}

extension SyncError {
  fileprivate static func noSuchAnswer(_ method: String) -> SyncError {
    .malformed(what: "no answer to \(method)")
  }
}

/// An argument of a JSON-RPC method.
///
/// Numbers are texts, so that amounts are passed exactly.
package enum JSONArgument: Sendable, Equatable {
  case null
  case boolean(Bool)
  /// A number in JSON's format.
  case number(String)
  case string(String)
  case array([JSONArgument])
  /// The members in the given order.
  case object([(name: String, value: JSONArgument)])

  package static func == (a: JSONArgument, b: JSONArgument) -> Bool { a.text == b.text }

  /// Creates a whole number.
  package static func number(_ number: some BinaryInteger) -> JSONArgument { .number(String(number)) }

  /// The JSON text.
  package var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.append(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.append(member.name, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  private static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONArgument: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONArgument...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
  package init(dictionaryLiteral elements: (String, JSONArgument)...) {
    self = .object(elements.map { (name: $0.0, value: $0.1) })
  }
}
