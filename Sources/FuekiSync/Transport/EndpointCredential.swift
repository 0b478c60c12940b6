internal import FoundationEssentials
public import FuekiCrypto

/// What proves to a server who asks.
///
/// The secret stays in memory that is wiped until a request leaves; only then is it spelt as a header field, since
/// that is what the system's HTTP client takes. It is never part of a URL, which servers and proxies write down, and
/// has no description, so that no message can show it.
public struct EndpointCredential: Sendable {
  /// How a server wants it.
  public enum Form: Hashable, Sendable {
    /// `Authorization: Basic`, the secret being `user:password`.
    case basic
    /// `Authorization: Bearer`.
    case bearer
    /// A header field of the server's own, such as `x-api-key`.
    case header(String)
  }

  /// How the server wants it.
  public let form: Form
  private let secret: SharedSecret

  /// A credential whose secret is text without line ends.
  public init(_ form: Form, secret: SharedSecret) {
    self.form = form
    self.secret = secret
  }

  /// The header field; nil for a secret that no field can hold.
  package var field: (name: String, value: String)? {
    secret.bytes.withBytes { (bytes: Span<UInt8>) -> (name: String, value: String)? in
      var text: [UInt8] = []
      for index in bytes.indices {
        guard bytes[index] >= 0x20, bytes[index] != 0x7F else { return nil }
        text.append(bytes[index])
      }
      return switch form {
      case .basic: ("Authorization", "Basic \(Data(text).base64EncodedString())")
      case .bearer: ("Authorization", "Bearer \(String(decoding: text, as: UTF8.self))")
      case .header(let name): (name, String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// Whether a server may be told a secret without encryption: only what is on this machine, or carries its own.
  package static func mayBeTold(scheme: String, host: String) -> Bool {
    scheme == "https" || host == "localhost" || host.hasPrefix("127.") || host.hasSuffix(".onion")
  }
}
