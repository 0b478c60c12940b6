/// The kinds of age key pairs, by the readable part of their text.
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

  /// The length of a private key or of its seed.
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

/// An age public key.
public struct AgeRecipient: Hashable, Sendable {
  /// The kind of key.
  public let form: AgeKeyForm
  /// The key's bytes, of the length that ``form`` requires.
  public let key: [UInt8]
}

/// The contents of an identity file.
public struct AgeIdentityFile: Sendable {
  /// Private keys.
  public internal(set) var keys: [AgeIdentity] = []
  /// Identities for plugins.
  public internal(set) var plugins: [AgePluginIdentity] = []
}
