/// What becomes of keys that their own program does not encrypt, and that a source names.
enum KeysDecision {
  case included
  /// They stay out because a target is synced, which leaves the backup incomplete.
  case undecided
  /// They stay out as their owner decided.
  case declined
}
