/// The handling of a source's keys that their own program does not encrypt.
enum KeysDecision {
  case included
  /// They stay out because a target is synced, which leaves the backup incomplete.
  case undecided
  /// They stay out as their owner decided.
  case declined
}
