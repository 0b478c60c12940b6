public import FuekiCrypto

/// Asks for the passphrase of a file encrypted by its own program.
///
/// It asks only when a file turns out to need it.
public struct SourcePassphrase: Sendable {
  private let ask: @Sendable () throws -> SharedSecret

  /// Creates a source of a passphrase.
  ///
  /// Its bytes are as typed, not normalised.
  public init(_ ask: @escaping @Sendable () throws -> SharedSecret) { self.ask = ask }

  /// The passphrase's bytes.
  ///
  /// - Throws: the source's errors if it has none.
  public func read() throws -> SharedSecret { try ask() }
}
