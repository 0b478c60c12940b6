internal import FuekiCrypto
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
    guard case .success(let secret?) = result else { throw .derivationFailed }
    derived.withLock { $0 = secret }
    return secret
  }
}
