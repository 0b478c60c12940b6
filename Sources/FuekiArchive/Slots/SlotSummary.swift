public import FuekiCrypto

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
