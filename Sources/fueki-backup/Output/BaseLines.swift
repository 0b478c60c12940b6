internal import FuekiArchive
internal import FuekiBackup

/// A differential archive's base, in words.
enum BaseLines {
  /// Which one it is, and whether a file with its digest is at hand.
  static func sentence(_ base: BaseReference, isAtHand: Bool) -> String {
    base.sentence + (isAtHand ? "" : ", which is not here")
  }

  /// Returns the warning of `verify` if the history could not be read.
  static func warning(_ base: BaseReference) -> String {
    "its base is not here: \(base.sentence). Without it, everything but the history can be restored"
  }
}
