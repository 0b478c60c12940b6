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

/// The public facts of a slot's parameters.
struct SlotFacts {
  var cost: Argon2id.Cost?
  var guardians: SlotSummary.Guardians?
}

/// Advice on a kind of slot for a future restore.
public struct SlotAdvice: Sendable {
  /// A short description of the secret that opens it.
  public let opener: String
  /// A note worth writing down by hand.
  public let note: String
  /// The option of `restore` with its argument; nil if `restore` asks by itself.
  public let option: String?
  /// Whether `restore` also asks for a passphrase, in addition to the option.
  public let asksForPassphrase: Bool
}
