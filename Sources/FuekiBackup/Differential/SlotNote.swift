internal import FuekiArchive
internal import FuekiCrypto

/// A summary of an archive's recipients, as far as it needs no secret.
///
/// Two archives with the same summary open with the same keys and guardians. A passphrase may differ.
struct SlotNote: Equatable, Sendable {
  let digest: Digest

  init(digest: Digest) { self.digest = digest }

  init(_ slots: [NewSlot]) {
    let notes = slots.map { slot in
      "\(slot.type.rawValue) \(slot.mask.scopes.map(\.rawValue)) \(slot.recipient.text ?? "")\n"
    }
    digest = SHA256.hash(Array("fueki slots\n".utf8), Array(notes.sorted().joined().utf8))
  }
}
