internal import FuekiBackup

extension Failure {
  /// What it means that an archive does not fit into its vault's lineage.
  init(_ error: LineageError) {
    let status = ExitStatus(error)
    switch error {
    case .olderThanKnown(let sequence, let known):
      self.init(
        status, "archive \(sequence) is older than \(known), the newest known of its vault",
        meaning: "what was added since is not in it",
        hint: "take the newest; a restore can insist with --accept-older")
    case .forked(let sequence, let known):
      self.init(
        status, "the vault's history divides at archive \(sequence) (this machine knows \(known))",
        meaning: "two machines made backups of the same vault, or somebody replaced one",
        hint: "fueki-backup list shows both; --adopt continues from the one in the target")
    case .unknownSuccessor(let sequence, let known):
      self.init(
        status,
        "the target holds archive \(sequence) of this vault, which this machine has never seen"
          + (known.map { " (it knows \($0))" } ?? ""),
        meaning: "another machine made it, or this machine's state was lost; nothing was written",
        hint: "if it is yours, run again with --adopt")
    case .unknownLineage(let sequence):
      self.init(
        status,
        "the target holds archives of this vault, up to number \(sequence), and this machine knows nothing of them",
        meaning:
          "this machine's state was lost, or another machine makes this vault's backups; nothing was written, "
          + "so that the vault does not begin a second time",
        hint:
          "accept the vault's signer with \"fueki-backup key trust KEY\" (the fingerprint is on your recovery kit), "
          + "or continue with --adopt")
    case .implausibleSequence(let sequence, let known):
      self.init(
        status,
        "an archive says that it is number \(sequence) of this vault"
          + (known.map { ", which has come to \($0)" } ?? ""),
        meaning: "nobody makes so many: somebody wants the vault to have no number left; nothing was written",
        hint: "remove that archive from the target")
    case .unsignedSuccessor:
      self.init(
        status, "this vault's archives are signed, and the key that signs them is not here",
        meaning: "an unsigned archive could not be told from a stranger's; nothing was written",
        hint: "give --sign-key, or insist with --unsigned")
    case .notMine(let sequence, let ownership):
      self.init(
        status,
        ownership == .stranger
          ? "archive \(sequence) is a stranger's: none of the vault's signers signed it"
          : "nothing shows that archive \(sequence) is yours",
        meaning: "that it opens proves nothing: whoever has your public key can make such an archive; "
          + "nothing was written",
        hint: ownership == .stranger
          ? "name an archive of your own; \"fueki-backup list\" shows whose each is"
          : "compare its signer with your recovery kit, then \"fueki-backup key trust KEY\"")
    }
  }
}
