internal import FuekiArchive

extension FuzzTarget {
  /// A differential archive's record of changes, and any message's identity.
  static let changes = FuzzTarget("changes") { bytes in
    let message = bytes.span
    let identity = RecordIdentity(of: message, in: 32)
    let form = identity.bytes(in: message)
    precondition(RecordIdentity.isIdentity(form), "a record has an identity that is none")
    guard let changes = Changes(decoding: message) else { return }
    let again = changes.encoded
    let second = Changes(decoding: again.span)
    precondition(second == changes, "changes come back as other ones")
  }
}
