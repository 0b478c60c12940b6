public import FuekiCrypto

/// A way in which another wallet's file holds a private key, under a password of its own.
public struct KeyFileOpening: Sendable {
  /// The contents of an opened file.
  public struct Opened: Sendable {
    /// The address that the file states; empty if none.
    public let stated: String
    /// The compressed public key of its secret.
    public let publicKey: [UInt8]
    /// The key's curve.
    public let curve: Curve

    /// Creates the contents of an opened file.
    public init(stated: String, publicKey: [UInt8], curve: Curve) {
      self.stated = stated
      self.publicKey = publicKey
      self.curve = curve
    }
  }

  /// The format as file records name it.
  public let format: String
  private let read: @Sendable ([UInt8], [SharedSecret]) throws -> Opened

  /// - Parameters:
  ///   - format: as file records name it.
  ///   - read: tries the passwords on a file's content. It throws ``KeyFileProblem`` where none opens it; nothing of
  ///     the key may leave ``SecretBytes``.
  public init(format: String, read: @escaping @Sendable ([UInt8], [SharedSecret]) throws -> Opened) {
    self.format = format
    self.read = read
  }

  /// Tries the passwords on a file's content.
  func open(_ content: [UInt8], with passwords: [SharedSecret]) throws -> Opened {
    try read(content, passwords)
  }
}
