internal import FuekiCrypto
internal import FuekiSystem

/// A slot of a header being opened, as identities see it.
struct SlotPlace: Sendable {
  /// The slot's number, from 1.
  let number: Int
  let parameters: [UInt8]
  let vaultID: VaultID
  /// The parameters of all slots of its type in the header, and its index among them.
  let peers: [[UInt8]]
  let peer: Int

  /// Runs a derivation whose failure is a fault of the archive.
  func derive<Value>(_ body: () throws(CryptoError) -> Value) throws(ArchiveError) -> Value {
    do throws(CryptoError) {
      return try body()
    } catch {
      throw self.error(error)
    }
  }

  /// Translates a derivation's failure to an error of the archive.
  func error(_ error: CryptoError) -> ArchiveError {
    switch error {
    case .notAuthentic, .invalidPoint: .forged(.slot(number))
    case .interrupted: .unreadable(SystemError(.interrupted, call: "derive"))
    default: .outOfMemory
    }
  }

  /// The error for parameters that the header accepted but cannot be parsed: a bug in this program.
  var unreadable: ArchiveError { .forged(.slot(number)) }
}
