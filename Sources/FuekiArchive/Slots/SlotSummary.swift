public import FuekiCrypto

/// What anyone can see of a slot.
public struct SlotSummary: Hashable, Sendable {
  /// From 1, as people see it.
  public let number: Int
  /// The slot's type.
  public let type: SlotType
  /// The scopes that it opens.
  public let mask: ScopeMask
  /// What deriving its secret costs; nil where nothing is derived from a passphrase.
  public let cost: Argon2id.Cost?
  /// Of a guardians slot: how many shares open it together, and how many there are.
  public let guardians: Guardians?

  /// A guardians slot's numbers.
  public struct Guardians: Hashable, Sendable {
    /// How many shares open the slot together.
    public let threshold: Int
    /// The shares' SLIP-39 identifier.
    public let identifier: UInt16
    /// A tag of 4 bytes for each share, in member order.
    public let shareTags: [[UInt8]]
  }

  /// Whether the slot can stand in an archive that is sealed for the long term.
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
