internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// A differential archive's base, in JSON.
struct BaseDocument: Encodable {
  let id: String
  let sequence: UInt64
  let atHand: Bool

  init(_ base: BaseReference, isAtHand: Bool) {
    id = base.digest.hex
    sequence = base.sequence
    atHand = isAtHand
  }
}
