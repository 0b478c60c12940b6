internal import FuekiCrypto

/// The properties of one type of slot, apart from its ``Recipient`` and its ``Identity``.
struct SlotKind: Sendable {
  let type: SlotType
  let name: String
  /// Whether it withstands future quantum computers in the hands of someone who records an archive today.
  let isForTheLongTerm: Bool
  /// How a writer without secrets identifies the slot's recipient.
  let holder: Holder
  let advice: SlotAdvice
  /// Parses the public facts of the parameters; nil if their length or numbers are invalid.
  let facts: @Sendable (_ parameters: [UInt8]) -> SlotFacts?
  /// Selects the given secrets that may open such slots.
  ///
  /// Derives nothing yet.
  let identities: @Sendable (_ given: UnlockingSecrets) -> [any Identity]

  enum Holder: Sendable {
    /// Not at all: the writer needs the secret itself.
    case secret
    /// By an age public key.
    ///
    /// The closure that creates a recipient refuses a key that shares no secret.
    case key(AgeKeyForm, @Sendable (_ key: [UInt8]) throws(CryptoError) -> any Recipient)
    /// By the guardians' public line.
    case guardians
    /// By an age plugin's recipient.
    case plugin
  }

  /// Every type that this version can open.
  static let all: [SlotKind] = [
    .passphrase, .passphraseAndKeyFile, .x25519, .guardians, .hybrid, .hybridGuardians, .agePlugin,
  ]
}
