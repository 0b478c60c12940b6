/// The kinds of key pairs that age writes, by the readable part of their text.
public enum AgeKeyForm: CaseIterable, Sendable {
  /// `age1…` and `AGE-SECRET-KEY-1…`.
  case x25519
  /// `age1pq1…` and `AGE-SECRET-KEY-PQ-1…`: an ``XWing`` key.
  case hybrid

  var recipientPart: [UInt8] {
    switch self {
    case .x25519: Array("age".utf8)
    case .hybrid: Array("age1pq".utf8)
    }
  }

  var identityPart: [UInt8] {
    switch self {
    case .x25519: Array("AGE-SECRET-KEY-".utf8)
    case .hybrid: Array("AGE-SECRET-KEY-PQ-".utf8)
    }
  }

  /// The length of a public key.
  public var recipientByteCount: Int {
    switch self {
    case .x25519: X25519.byteCount
    case .hybrid: XWing.publicKeyByteCount
    }
  }

  /// The length of a private key, or of the seed of one.
  public static let identityByteCount = 32

  /// Computes the public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/unavailable``.
  public func publicKey(of key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    switch self {
    case .x25519: try X25519.publicKey(of: key)
    case .hybrid: try XWing.publicKey(of: key)
    }
  }
}

/// A public key of age's.
public struct AgeRecipient: Hashable, Sendable {
  /// Which kind.
  public let form: AgeKeyForm
  /// As many bytes as the form says.
  public let key: [UInt8]
}

/// A private key of age's.
public struct AgeIdentity: Sendable {
  /// Which kind.
  public let form: AgeKeyForm
  /// 32 bytes, where it was read by ``AgeKey/identities(in:)``.
  public let key: SharedSecret

  /// A key that came another way.
  public init(_ form: AgeKeyForm, _ key: SharedSecret) {
    self.form = form
    self.key = key
  }

  /// An X25519 private key.
  public static func x25519(_ key: SharedSecret) -> AgeIdentity { AgeIdentity(.x25519, key) }
}

/// What an identity file has.
public struct AgeIdentityFile: Sendable {
  /// Private keys.
  public internal(set) var keys: [AgeIdentity] = []
  /// Identities that plugins can use.
  public internal(set) var plugins: [AgePluginIdentity] = []
}
