/// What is wrong with one share's words, or with shares together.
///
/// Where several shares were given, `share` is the place of the wrong one among them, from 0.
public enum SLIP39Error: Error, Hashable, Sendable {
  /// No share has so many words: one is missing or too many.
  case wordCount(Int)
  /// The word at this place, from 1, is none of the list.
  case unknownWord(place: Int)
  /// The checksum does not hold: a word is wrong, or words are in another order.
  case checksum
  /// Bits that are always zero are not.
  case padding
  /// The numbers of shares and groups contradict one another, or nobody could split so.
  case parameters
  /// The share belongs to another set than the others.
  case otherSet(share: Int)
  /// The share is that of a member who is there already.
  case duplicateMember(share: Int)
  /// A group needs more of its members.
  case tooFew(have: Int, need: Int)
  /// More groups must be complete.
  case tooFewGroups(have: Int, need: Int)
  /// The shares look right one by one, but do not belong together: one is forged or of another secret.
  case digest
  /// A secret could not be held or derived.
  case crypto(CryptoError)
}
