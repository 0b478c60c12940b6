internal import FuekiSync
internal import FuekiSystem

/// A server that notices when a run fails, or is not made at all, in the manner of healthchecks.io.
struct HealthCheck {
  let url: PrivateURL
  /// The commands that it monitors.
  let commands: [String]
  /// The vaults that it monitors; nil for all.
  let vaults: [ExactText]?

  /// Nil if it has no URL.
  init?(_ entry: ConfigurationFile.Entry) {
    guard let url = entry.values["url"]?.text.flatMap(PrivateURL.init) else { return nil }
    self.url = url
    commands = entry.values["commands"]?.texts ?? HookedRun.commands
    vaults = entry.values["vaults"]?.texts?.map(ExactText.init(_:))
  }

  /// The moments of a run that are reported.
  enum Moment {
    case start
    case success
    case failure

    /// The suffix of the URL.
    fileprivate var suffix: String {
      switch self {
      case .start: "/start"
      case .success: ""
      case .failure: "/fail"
      }
    }

    /// An unreported end would raise an alarm, so it is tried twice.
    fileprivate var tries: Int { self == .start ? 1 : 2 }
  }

  /// A backup does not wait longer for a server that watches over it.
  private static let deadline = 5.0

  /// Tells the server.
  ///
  /// - Returns: what went wrong, as the rest of a sentence without the URL.
  func tell(_ moment: Moment) -> String? {
    var request = HTTPRequest(.get, moment == .success ? url.text : url.appending(moment.suffix))
    request.bodyLimit = 1 << 16
    request.deadline = .seconds(Self.deadline)
    var problem: String?
    for _ in 0..<moment.tries {
      problem = Self.problem(Exchange.answer(to: request, within: Self.deadline))
      if problem == nil { return nil }
    }
    return problem
  }

  private static func problem(_ answer: Result<HTTPResponse, TransportError>) -> String? {
    switch answer {
    case .success(let response):
      (200..<300).contains(response.status) ? nil : "answered with status \(response.status)"
    // The rest of some errors has the URL in it.
    case .failure(.deadline): "did not answer within \(Int(deadline)) seconds"
    case .failure(.notTrusted): "has an invalid certificate"
    case .failure(.redirected): "redirects elsewhere, which is not followed"
    case .failure(.tooLarge): "answered with too much"
    case .failure(.invalidURL), .failure(.credentialInTheClear), .failure(.unreachable), .failure(.cancelled):
      "cannot be reached"
    }
  }
}

/// One request from where nothing is asynchronous.
enum Exchange {
  private final class Answer: Sendable {
    let result = Locked<Result<HTTPResponse, TransportError>?>(nil)
  }

  /// The answer to a request, or `.deadline`, whatever the transport does meanwhile.
  static func answer(
    to request: HTTPRequest, within seconds: Double, over transport: some Transport = CurlTransport()
  ) -> Result<HTTPResponse, TransportError> {
    let answer = Answer()
    let task = Task.detached {
      let result: Result<HTTPResponse, TransportError>
      do throws(TransportError) {
        result = .success(try await transport.exchange(request))
      } catch {
        result = .failure(error)
      }
      answer.result.withLock { $0 = result }
    }
    let end = SystemClock.monotonicSeconds + seconds
    while SystemClock.monotonicSeconds < end, Interruption.age < Interruption.cleanupSeconds {
      if let result = answer.result.withLock({ $0 }) { return result }
      SystemClock.sleep(seconds: 0.005)
    }
    task.cancel()
    return .failure(.deadline)
  }
}

/// A URL that may grant access by itself.
///
/// Only its host is ever shown.
struct PrivateURL: CustomStringConvertible {
  let text: String
  private let origin: Substring

  /// Nil if it is no `http` or `https` URL, or contains a user.
  init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
    guard isPlain, !authority.isEmpty, !authority.contains("@") else { return nil }
    self.text = text
    origin = text.prefix(scheme.count + authority.count)
  }

  /// Where it leads, and no more.
  var description: String { text == origin || text == "\(origin)/" ? text : "\(origin)/…" }

  /// Returns the URL with a longer path, and its query unchanged.
  func appending(_ path: String) -> String {
    let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
    let base = text[..<end]
    return (base.last == "/" ? base.dropLast() : base) + path + text[end...]
  }
}
