internal import FuekiBackup
public import FuekiCrypto
internal import FuekiSystem

/// A source's password, requested at most once, and only if a file needs it.
final class AskedPassword {
  /// Why a password that is there could not be given, which is no fault of the file that needs it.
  struct Refusal: Error { let error: any Error }

  /// The source's budget.
  let work: WorkBudget
  private let passphrase: SourcePassphrase?
  private var known: SharedSecret?

  init(_ passphrase: SourcePassphrase?, work: WorkBudget) {
    (self.passphrase, self.work) = (passphrase, work)
  }

  /// Returns the password; nil if unattended.
  func read() throws -> SharedSecret? {
    guard let passphrase else { return nil }
    try work.spend(1, on: .derivations)
    if let known { return known }
    do {
      let read = try passphrase.read()
      known = read
      return read
    } catch {
      throw Refusal(error: error)
    }
  }
}

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
