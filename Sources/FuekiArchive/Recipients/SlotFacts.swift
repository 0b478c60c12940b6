internal import FuekiCrypto

/// The public facts of a slot's parameters.
struct SlotFacts {
  var cost: Argon2id.Cost?
  var guardians: SlotSummary.Guardians?
}
