internal import FuekiCrypto

/// What one type of slot is, but for its ``Recipient`` and its ``Identity``.
struct SlotKind: Sendable {
  let type: SlotType
  let name: String
  /// Whether who records an archive today cannot open it with the quantum computers of a later day.
  let isForTheLongTerm: Bool
  /// How a writer that has no secret names whom such a slot is for.
  let holder: Holder
  let advice: SlotAdvice
  /// What anyone can see in the parameters; nil where their length or their numbers are not the type's.
  let facts: @Sendable (_ parameters: [UInt8]) -> SlotFacts?
  /// Of what a caller has, what may open such slots; nothing is derived yet.
  let identities: @Sendable (_ given: UnlockingSecrets) -> [any Identity]

  enum Holder: Sendable {
    /// By nothing: it takes the secret itself.
    case secret
    /// By a public key as age writes it. What makes a recipient of the key refuses one that shares no secret.
    case key(AgeKeyForm, @Sendable (_ key: [UInt8]) throws(CryptoError) -> any Recipient)
    /// By the guardians' public line.
    case guardians
    /// By a recipient that a plugin of age's knows what to do with.
    case plugin
  }

  /// Every type that this version can open.
  static let all: [SlotKind] = [
    .passphrase, .passphraseAndKeyFile, .x25519, .guardians, .hybrid, .hybridGuardians, .agePlugin,
  ]
}

/// What anyone can see of a slot's parameters.
struct SlotFacts {
  var cost: Argon2id.Cost?
  var guardians: SlotSummary.Guardians?
}

/// What whoever restores one day has to know of a kind of slot.
public struct SlotAdvice: Sendable {
  /// What opens it, in a few words.
  public let opener: String
  /// What is worth writing down by hand.
  public let note: String
  /// What `restore` is given: an option, and what it takes; nil where it asks by itself.
  public let option: String?
  /// Whether a passphrase is asked for, and what the option takes is needed besides.
  public let asksForPassphrase: Bool
}
