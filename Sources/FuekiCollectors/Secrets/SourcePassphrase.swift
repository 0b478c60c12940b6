public import FuekiCrypto

/// Where the passphrase of a file that its own program encrypted comes from.
///
/// It is asked for only once a file turns out to need it.
public struct SourcePassphrase: Sendable {
  private let ask: @Sendable () throws -> SharedSecret

  /// A place to ask; the bytes are those that a person typed, not normalised.
  public init(_ ask: @escaping @Sendable () throws -> SharedSecret) { self.ask = ask }

  /// The passphrase's bytes.
  ///
  /// - Throws: what the place throws where it has none.
  public func read() throws -> SharedSecret { try ask() }
}
