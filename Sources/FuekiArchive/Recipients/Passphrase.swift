internal import FuekiSystem
public import FuekiCrypto

extension SlotType {
  /// A passphrase.
  public static let passphrase = SlotType(rawValue: 1)
}

extension SlotKind {
  /// Type 1: Argon2id of a passphrase.
  static let passphrase = SlotKind(
    type: .passphrase, name: "passphrase", isForTheLongTerm: true, holder: .secret,
    advice: SlotAdvice(
      opener: "a passphrase", note: "passphrase, by hand", option: nil, asksForPassphrase: true),
    facts: { PassphraseParameters($0).map { SlotFacts(cost: $0.cost) } },
    identities: { $0.passphrases.map(PassphraseIdentity.init) })
}

/// Parameters of slot types 1 and 2: a 16-byte salt and the cost of Argon2id.
struct PassphraseParameters: Equatable {
  let salt: [UInt8]
  let cost: Argon2id.Cost

  init(salt: [UInt8], cost: Argon2id.Cost) {
    self.salt = salt
    self.cost = cost
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do {
      salt = try reader.bytes(16)
      cost = Argon2id.Cost(memoryKiB: try reader.u32(), passes: try reader.u32())
      try reader.finish()
    } catch { return nil }
  }

  var encoded: [UInt8] {
    var bytes = salt
    bytes.append(littleEndian: cost.memoryKiB)
    bytes.append(littleEndian: cost.passes)
    return bytes
  }

  func derive(_ passphrase: SharedSecret) throws(CryptoError) -> SharedSecret {
    SharedSecret(try Argon2id.derive(from: passphrase.bytes, salt: salt, cost: cost))
  }
}

private struct PassphraseRecipient: Recipient {
  let passphrase: SharedSecret
  let derivation: Argon2id.Cost
  var type: SlotType { .passphrase }
  var text: String? { nil }
  var cost: Argon2id.Cost? { derivation }
  var opener: UnlockingSecrets? { UnlockingSecrets(passphrases: [passphrase]) }

  func wrap(_ randomness: RandomSource) throws(CryptoError) -> WrappingSecret {
    let parameters = PassphraseParameters(salt: try randomness.bytes(16), cost: derivation)
    return WrappingSecret(parameters: parameters.encoded, secret: try parameters.derive(passphrase))
  }
}

private struct PassphraseIdentity: Identity {
  let passphrase: SharedSecret

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    guard let parameters = PassphraseParameters(slot.parameters) else { throw slot.unreadable }
    return try slot.derive { () throws(CryptoError) in
      UnwrappingSecret(
        secret: try parameters.derive(passphrase),
        again: PassphraseRecipient(passphrase: passphrase, derivation: parameters.cost))
    }
  }
}

extension NewSlot {
  /// Creates a slot for a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - cost: the cost of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request, with nothing derived yet.
  public static func passphrase(
    _ passphrase: SharedSecret, cost: Argon2id.Cost, opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(PassphraseRecipient(passphrase: passphrase, derivation: cost), opening: mask)
  }
}

/// A passphrase slot's key derivation on a separate thread, while the caller collects.
///
/// The derivation takes as long as the rest of a small wallet's backup, so starting early hides its time.
final class EarlyDerivation: Sendable {
  let parameters: PassphraseParameters
  private let worker: Locked<OrderedWorkers<SharedSecret>>
  private let derived = Locked<SharedSecret?>(nil)

  /// Draws the salt and starts.
  init(_ passphrase: SharedSecret, cost: Argon2id.Cost) {
    let parameters = PassphraseParameters(salt: RandomBytes.bytes(16), cost: cost)
    self.parameters = parameters
    let worker = OrderedWorkers<SharedSecret>(width: 1, window: 1)
    worker.submit {
      SharedSecret(try Argon2id.derive(from: passphrase.bytes, salt: parameters.salt, cost: cost))
    }
    self.worker = Locked(worker)
  }

  /// Waits for the derived secret.
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
  /// Creates a slot for a passphrase, alone or with a key file, and starts its derivation on a separate
  /// thread.
  ///
  /// The slot is for one archive only.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - keyFile: all bytes of a key file that is also required, or nil.
  ///   - cost: the cost of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  ///   - opened: the digest of an archive that these secrets have opened.
  /// - Returns: a request whose derivation has started.
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

/// A passphrase, alone or with a key file, with a derivation in progress.
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

  /// Ignores the randomness: the salt was drawn when the derivation started.
  func wrap(_: RandomSource) throws(CryptoError) -> WrappingSecret {
    let derived = try derivation.secret()
    let secret = if let keyFile { try KeyFile.joined(derived, keyFile) } else { derived }
    return WrappingSecret(parameters: derivation.parameters.encoded, secret: secret)
  }
}
