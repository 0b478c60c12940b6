public import FuekiCrypto
internal import FuekiSystem
internal import Synchronization

/// A passphrase slot's derivation, which runs on a thread of its own while the caller collects.
///
/// It takes as long as the rest of a small wallet's backup: begun early, it costs no time of its own.
final class EarlyDerivation: Sendable {
  let parameters: PassphraseParameters
  private let worker: Mutex<OrderedWorkers<SharedSecret>>
  private let derived = Mutex<SharedSecret?>(nil)

  /// Draws the salt and begins.
  init(_ passphrase: SharedSecret, cost: Argon2id.Cost) {
    let parameters = PassphraseParameters(salt: RandomBytes.bytes(16), cost: cost)
    self.parameters = parameters
    let worker = OrderedWorkers<SharedSecret>(width: 1, window: 1)
    worker.submit {
      SharedSecret(try Argon2id.derive(from: passphrase.bytes, salt: parameters.salt, cost: cost))
    }
    self.worker = Mutex(worker)
  }

  /// What was derived, waited for.
  func secret() throws(CryptoError) -> SharedSecret {
    if let known = derived.withLock({ $0 }) { return known }
    let result = worker.withLock { worker in Result { try worker.next() } }
    let secret: SharedSecret
    switch result {
    case .success(let derived?): secret = derived
    case .failure(let error as CryptoError): throw error
    case .success(nil), .failure: throw .derivationFailed
    }
    derived.withLock { $0 = secret }
    return secret
  }
}

extension NewSlot {
  /// A slot that a passphrase opens, alone or with a key file, for one archive: its derivation begins here, on a
  /// thread of its own.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - keyFile: all bytes of a key file that is needed too, or nil.
  ///   - cost: of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  ///   - opened: the digest of an archive that these were found to open.
  /// - Returns: a request whose derivation is under way.
  public static func derivingEarly(
    _ passphrase: SharedSecret, andKeyFile keyFile: SharedSecret? = nil, cost: Argon2id.Cost,
    opening mask: ScopeMask = .all, havingOpened opened: Digest? = nil
  ) -> NewSlot {
    let recipient = EarlyRecipient(
      derivation: EarlyDerivation(passphrase, cost: cost), passphrase: passphrase, keyFile: keyFile,
      openedArchive: opened)
    return NewSlot(recipient, opening: mask)
  }
}

/// A passphrase, alone or with a key file, whose derivation is under way.
private struct EarlyRecipient: Recipient {
  let derivation: EarlyDerivation
  let passphrase: SharedSecret
  let keyFile: SharedSecret?
  let openedArchive: Digest?
  var text: String? { nil }
  var type: SlotType { keyFile == nil ? .passphrase : .passphraseAndKeyFile }
  var cost: Argon2id.Cost? { derivation.parameters.cost }
  var opener: UnlockingSecrets? {
    UnlockingSecrets(passphrases: [passphrase], keyFiles: keyFile.map { [$0] } ?? [])
  }

  /// What is random was drawn when the derivation began.
  func wrap(_: RandomSource) throws(CryptoError) -> WrappingSecret {
    let derived = try derivation.secret()
    let secret = if let keyFile { try KeyFile.joined(derived, keyFile) } else { derived }
    return WrappingSecret(parameters: derivation.parameters.encoded, secret: secret)
  }
}
