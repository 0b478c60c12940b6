/// A file of a target that has its archive's original seals.
///
/// Only a ``SealWitness`` makes one. Code that relies on opening a file later, without a secret to try now, requires
/// this value.
struct VouchedFile: Sendable {
  let entry: TargetEntry

  /// Nil if the file is no archive, or nothing proves its seals.
  init?(_ entry: TargetEntry, _ witness: SealWitness) {
    guard let archive = entry.archive, witness.vouches(for: archive) else { return nil }
    self.entry = entry
  }
}
