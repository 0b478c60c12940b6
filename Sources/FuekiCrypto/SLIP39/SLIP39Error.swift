/// Why a share's words are invalid, or shares do not combine.
///
/// `share` is the position of the wrong share among those given, from 0.
public enum SLIP39Error: Error, Hashable, Sendable {
  /// The number of words fits no share.
  case wordCount(Int)
  /// The word at this place, from 1, is not in the list.
  case unknownWord(place: Int)
  /// The checksum does not verify: a word is wrong, or words are out of order.
  case checksum
  /// Padding bits are not zero.
  case padding
  /// The thresholds and counts contradict each other or are impossible.
  case parameters
  /// The share belongs to another set than the others.
  case otherSet(share: Int)
  /// The share repeats a member already present.
  case duplicateMember(share: Int)
  /// A group needs more of its members.
  case tooFew(have: Int, need: Int)
  /// More groups must be complete.
  case tooFewGroups(have: Int, need: Int)
  /// Each share is valid, but together they are inconsistent: one is forged or belongs to another secret.
  case digest
  /// Memory for a secret could not be allocated, or a derivation failed.
  case crypto(CryptoError)
}
