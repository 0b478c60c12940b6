internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

extension Failure {
  /// Explains the consequences of an archive's error for the user's money, and the next step.
  init(_ error: ArchiveError) {
    let status = ExitStatus(error.verdict)
    switch error {
    case .notAnArchive:
      self.init(
        status, "this is not a Fueki archive", meaning: "nothing in it was read or changed",
        hint:
          "fueki-backup list DIR shows the archives of a folder. For another wallet's file: fueki-backup import FILE"
      )
    case .incomplete:
      self.init(
        status, "the file ends before the archive does",
        meaning:
          "it was cut off, or is still being copied or downloaded. The archive itself may be fine elsewhere",
        hint: "wait for the sync to finish, or take another copy")
    case .damaged(let damage):
      self.init(
        status, "the archive is damaged: \(damage.sentence)",
        meaning: "what is in the damaged part cannot be trusted. Nothing was changed",
        hint: "try another copy of the same archive, or the one before it"
          + (damage == .structure ? "" : ". \"fueki-backup restore --salvage\" brings back what is whole"))
    case .tooNew(let newness):
      self.init(
        status, "made by a newer version (\(newness.sentence))", meaning: "the archive is not damaged",
        hint: "install a newer fueki-backup")
    case .untrusted(let problem):
      self.init(
        status, "not signed by a trusted signer: \(problem.sentence)",
        meaning: "none of the signers that you trust made this archive. A stranger may have put it there")
    case .wrongSecret:
      self.init(
        status, "this secret does not open the archive",
        meaning: "its header and slots are intact, so this is not damage",
        hint: "for a passphrase, check keyboard layout, capitals and spaces; "
          + "\"key list\" shows what opens the archive")
    case .tooFewShares(let shortfall):
      self.init(
        status, shortfall.sentence, meaning: "its header and slots are intact, so this is not damage",
        hint: "ask the guardians for the rest: \"guardians check\" tells each whether their share is intact")
    case .pluginFailed(let failure):
      self.init(
        status, "this secret does not open the archive: \(failure.sentence)",
        meaning: "its header and slots are intact, so this is not damage", hint: failure.hint)
    case .overLimit(let limit):
      self.init(
        status, "a number in the archive is beyond the format's limits: \(limit.sentence)",
        meaning: "it was not made by this program, or it was made to exhaust this machine")
    case .forged(let rule):
      self.init(
        status, "the archive contradicts itself: \(rule.sentence)",
        meaning: "its checksums are right, so no storage fault did this: it was made so",
        hint: "do not trust this file. Take another archive of the vault")
    case .baseMissing(let base):
      self.init(
        status, "the archive is whole, but its base is not here: \(base.sentence)",
        meaning: "of the history it holds only what changed since its base. Profile and secrets are complete",
        hint: "put its base into the same folder; "
          + "restore --exclude history brings back everything but the history")
    case .inBase(let base, let error):
      let failure = Failure(error)
      self.init(
        status, "the archive is whole, but its base is not (\(base.sentence)): \(failure.message)",
        meaning: failure.meaning,
        hint: failure.hint)
    case .unreadable(let error): self.init(error)
    case .outOfMemory:
      self.init(status, "there is not enough memory to derive the key", meaning: "nothing was changed")
    }
  }
}

extension Failure {
  /// A plugin that made no slot.
  init(_ failure: PluginFailure) {
    if case .system(let error) = failure.fault, error.isInterrupted {
      self.init(error)
      return
    }
    self.init(.failed, failure.sentence, meaning: "no archive was written", hint: failure.hint)
  }
}
