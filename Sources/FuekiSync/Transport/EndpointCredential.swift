internal import FoundationEssentials
public import FuekiCrypto

/// A credential for a server.
///
/// The secret is in memory that is wiped until a request is sent. Only then is it written to a header field,
/// as libcurl requires. It is put in the URL, which servers and proxies log, only if the
/// server accepts nothing else. It has no description, so that no message can reveal it.
public struct EndpointCredential: Sendable {
  /// The form that a server requires.
  public enum Form: Hashable, Sendable {
    /// `Authorization: Basic`, with `user:password` as the secret.
    case basic
    /// `Authorization: Bearer`.
    case bearer
    /// A custom header field, such as `x-api-key`.
    case header(String)
    /// A URL parameter, such as `apikey`, for servers that accept nothing else.
    case query(String)
  }

  /// The form that the server requires.
  let form: Form
  private let secret: SharedSecret

  /// Creates a credential.
  ///
  /// The secret is text without line ends.
  public init(_ form: Form, secret: SharedSecret) {
    self.form = form
    self.secret = secret
  }

  /// The item to append to a URL's query; nil for a secret that needs escaping, and for other forms.
  var queryItem: String? {
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

  /// The header field; nil for a secret that no field can hold, and for a URL parameter.
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

  /// Whether a server may receive a secret: with encryption, or on this machine, or with its own encryption.
  static func mayBeTold(scheme: String, host: String) -> Bool {
    scheme == "https" || host == "localhost" || isLoopback(host) || host.hasSuffix(".onion")
  }

  /// Whether a host is a loopback address.
  ///
  /// `127.0.0.1.example` is an ordinary name.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension Character {
  /// Whether a URL can contain it unescaped.
  fileprivate var isToken: Bool { isASCII && (isLetter || isNumber || "-._~".contains(self)) }
}
