public import FuekiCrypto

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

/// The types of slots.
///
/// Unknown types are skipped and reported. Known types are defined next to their recipients.
public struct SlotType: Hashable, Sendable {
  /// The type's number in the file.
  public let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type's name in output and JSON.
  public var name: String { kind?.name ?? "unknown-\(rawValue)" }

  /// Whether this version can open such a slot.
  public var isKnown: Bool { kind != nil }

  /// Whether it withstands future quantum computers in the hands of someone who records an archive today.
  ///
  /// False for an unknown type.
  var isForTheLongTerm: Bool { kind?.isForTheLongTerm ?? false }

  /// Advice for a restore; nil for an unknown type.
  public var advice: SlotAdvice? { kind?.advice }

  /// Whether the slot's recipient is an age recipient, including a plugin's.
  public var isNamedByKey: Bool {
    switch kind?.holder {
    case .key, .plugin: true
    case .secret, .guardians, nil: false
    }
  }

  /// Whether the slot's recipient is the guardians' public line.
  public var isNamedByGuardians: Bool {
    if case .guardians = kind?.holder { true } else { false }
  }

  var kind: SlotKind? { SlotKind.all.first { $0.type == self } }
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

/// The public facts of a slot's parameters.
struct SlotFacts {
  var cost: Argon2id.Cost?
  var guardians: SlotSummary.Guardians?
}

/// The public facts of a slot.
public struct SlotSummary: Hashable, Sendable {
  /// The slot's number, from 1.
  public let number: Int
  /// The slot's type.
  public let type: SlotType
  /// The scopes that it opens.
  public let mask: ScopeMask
  /// The cost of its derivation; nil if no passphrase is involved.
  public let cost: Argon2id.Cost?
  /// The numbers of a guardians slot; nil for other types.
  public let guardians: Guardians?

  /// A guardians slot's numbers.
  public struct Guardians: Hashable, Sendable {
    /// The number of shares that open the slot together.
    public let threshold: Int
    /// The shares' SLIP-39 identifier.
    public let identifier: UInt16
    /// A tag of 4 bytes for each share, in member order.
    public let shareTags: [[UInt8]]
  }

  /// Whether the slot withstands future quantum computers.
  public var isForTheLongTerm: Bool { type.isForTheLongTerm }

  init(_ slot: Slot, number: Int) {
    self.number = number
    type = slot.type
    mask = slot.mask
    let facts = slot.type.kind?.facts(slot.parameters)
    cost = facts?.cost
    guardians = facts?.guardians
  }
}
