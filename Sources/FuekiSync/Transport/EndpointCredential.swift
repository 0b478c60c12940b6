internal import FoundationEssentials
public import FuekiCrypto

/// What proves to a server who asks.
///
/// The secret stays in memory that is wiped until a request leaves; only then is it spelt as a header field, since
/// that is what the system's HTTP client takes. It is part of a URL, which servers and proxies write down, only where a
/// server takes it nowhere else; and it has no description, so that no message can show it.
public struct EndpointCredential: Sendable {
  /// How a server wants it.
  public enum Form: Hashable, Sendable {
    /// `Authorization: Basic`, the secret being `user:password`.
    case basic
    /// `Authorization: Bearer`.
    case bearer
    /// A header field of the server's own, such as `x-api-key`.
    case header(String)
    /// A parameter of the URL, such as `apikey`: for servers that take no other.
    case query(String)
  }

  /// How the server wants it.
  public let form: Form
  private let secret: SharedSecret

  /// A credential whose secret is text without line ends.
  public init(_ form: Form, secret: SharedSecret) {
    self.form = form
    self.secret = secret
  }

  /// What to append to a URL's query; nil for a secret that would have to be escaped, and for other forms.
  package var queryItem: String? {
    guard case .query(let name) = form else { return nil }
    return secret.bytes.withBytes { (bytes: Span<UInt8>) -> String? in
      var text: [UInt8] = []
      for index in bytes.indices {
        guard Character(Unicode.Scalar(bytes[index])).isToken else { return nil }
        text.append(bytes[index])
      }
      return "\(name)=\(String(decoding: text, as: UTF8.self))"
    }
  }

  /// The header field; nil for a secret that no field can hold, and for a parameter.
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
      case .query: nil
      }
    }
  }

  /// Whether a server may be told a secret without encryption: only what is on this machine, or carries its own.
  package static func mayBeTold(scheme: String, host: String) -> Bool {
    scheme == "https" || host == "localhost" || isLoopback(host) || host.hasSuffix(".onion")
  }

  /// Whether a host is an address of this machine's; `127.0.0.1.example` is a name of anyone's.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension Character {
  /// Whether a URL has it as it is.
  fileprivate var isToken: Bool { isASCII && (isLetter || isNumber || "-._~".contains(self)) }
}
