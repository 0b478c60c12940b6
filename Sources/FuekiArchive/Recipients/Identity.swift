internal import FuekiCrypto
internal import FuekiSystem

/// What a caller has that may open slots of one type, as age has it.
protocol Identity: Sendable {
  /// Derives the secret of a slot of its type, which may yet turn out not to be this one's.
  ///
  /// - Throws: ``ArchiveError/tooFewShares(_:)`` or ``ArchiveError/pluginFailed(_:)`` where the slot stays closed for a
  ///   reason worth telling; any other error ends the reading.
  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret
}

/// A slot's secret, and who another slot is to be made for that the same holder opens.
struct UnwrappingSecret: Sendable {
  let secret: SharedSecret
  let again: any Recipient
  /// The secret has been shown to be this slot's, so that a commitment which differs is no mistake of the caller's.
  var mustOpen = false
  /// What to tell where the secret turns out not to be this slot's, if more than that.
  var otherwise: ArchiveError?
}

/// A slot of a header that is being opened, as an identity needs to see it.
struct SlotPlace: Sendable {
  /// From 1, as people see it.
  let number: Int
  let parameters: [UInt8]
  let vaultID: VaultID
  /// The parameters of all slots of its type in the header, and its own place among them.
  let peers: [[UInt8]]
  let peer: Int

  /// Runs a derivation, whose failure says something of the archive.
  func derive<Value>(_ body: () throws(CryptoError) -> Value) throws(ArchiveError) -> Value {
    do throws(CryptoError) {
      return try body()
    } catch {
      throw self.error(error)
    }
  }

  /// What a failed derivation says of the archive.
  func error(_ error: CryptoError) -> ArchiveError {
    switch error {
    case .notAuthentic, .invalidPoint: .forged(.slot(number))
    case .interrupted: .unreadable(SystemError(.interrupted, call: "derive"))
    default: .outOfMemory
    }
  }

  /// Where parameters that were accepted when the header was read are not: a mistake of this program's.
  var unreadable: ArchiveError { .forged(.slot(number)) }
}
