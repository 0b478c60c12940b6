internal import FuekiBackup
internal import FuekiCrypto

extension LineageError: Explained {
  private static let mostListed = 20

  private static func hint(inDoubt sequence: UInt64, _ signer: Ed25519.PublicKey?) -> String {
    guard let signer else {
      return "nothing can prove an unsigned archive with other keys: move its file to another folder"
    }
    return
      "if you made archive \(sequence), as after \"key add\", accept it: fueki-backup key trust \(signer.hex). If "
      + "not, move its file to another folder"
  }

  var failure: Failure {
    switch self {
    case .olderThanKnown(let sequence, let known):
      return Failure(
        .older, "archive \(sequence) is older than \(known), the newest known of its vault",
        meaning: "it lacks everything added since",
        hint: "use the newest. \"fueki-backup restore --accept older\" takes an older one")
    case .forked(let sequence, let known):
      return Failure(
        .forked, "the vault's history forks at archive \(sequence) (this machine knows \(known))",
        meaning: "two machines made backups of the same vault, or an archive was replaced",
        hint: "fueki-backup list shows both; --adopt continues from the one in the target")
    case .unknownSuccessor(let sequence, let known):
      return Failure(
        .forked,
        "the target holds archive \(sequence) of this vault, which is new to this machine"
          + (known.map { " (it knows \($0))" } ?? ""),
        meaning: "another machine made it, or this machine's state was lost. Nothing was written",
        hint: "if it is yours, run again with --adopt")
    case .unknownLineage(let sequence):
      return Failure(
        .untrusted,
        "the target holds archives of this vault, up to number \(sequence), but this machine knows nothing about them",
        meaning:
          "this machine's state was lost, or another machine makes this vault's backups. Nothing was written, "
          + "so that the vault does not start a second history",
        hint:
          "accept the vault's signer with \"fueki-backup key trust KEY\" (the fingerprint is on your recovery kit), "
          + "or continue with --adopt")
    case .inDoubt(let sequence, let signer):
      let who =
        signer.map { "its signer, \($0.fingerprint), is unknown to this machine" } ?? "it is not signed"
      return Failure(
        .untrusted,
        "archive \(sequence) of this vault has other keys besides your passphrase, and \(who)",
        meaning:
          "you made it before this machine's state was lost, or a holder of its other keys did. "
          + "No backup was made, so that the vault does not start a second history",
        hint: Self.hint(inDoubt: sequence, signer))
    case .untried(let archives, let tried):
      let rest = archives.count - Self.mostListed
      return Failure(
        .untrusted,
        "your passphrase was tried on \(Readable.count(tried, "archive")) of this vault that this machine does not know, and "
          + "opens none; there was no time to try \(archives.count) more",
        meaning:
          "not tried: \(archives.prefix(Self.mostListed).joined(separator: ", "))"
          + (rest > 0 ? " and \(rest) more" : "")
          + ". You made one of them before this machine's state was lost, or none. "
          + "No backup was made, so that the vault does not start a second history",
        hint:
          "move the files that are not yours to another folder. If you made one, type its signer from your recovery kit: "
          + "fueki-backup key trust KEY")
    case .implausibleSequence(let sequence, let known):
      return Failure(
        .forked,
        "an archive says that it is number \(sequence) of this vault"
          + (known.map { ", which has come to \($0)" } ?? ""),
        meaning:
          "no real vault gets that far: an attacker may want to use up the vault's numbers. Nothing was written",
        hint: "remove that archive from the target")
    case .unsignedSuccessor:
      return Failure(
        .usage, "this vault's archives are signed, but the signing key is not on this machine",
        meaning: "an unsigned archive would look like a stranger's. Nothing was written",
        hint: "use --sign-key, or make an unsigned archive with --unsigned")
    case .retiredSigner(let signer):
      return Failure(
        .usage, "the key that would sign was retired on this machine: \(signer.fingerprint)",
        meaning: "an archive that it signs would be a stranger's. Nothing was written",
        hint:
          "sign with another key: \"fueki-backup key new-signer\" makes one, and sign_key in the configuration "
          + "names it")
    case .secondVault(let others):
      return Failure(
        .untrusted,
        (others.count == 1
          ? "the target has archives of another vault, \(others[0])"
          : "the target has archives of \(others.count) other vaults: \(others.joined(separator: ", "))")
          + ", and nothing shows that they are yours",
        meaning:
          "this machine's state was lost, or the data directory or a source is the wrong one. No backup was made, "
          + "because a restore could not tell two vaults apart. The archives in the target are unchanged",
        hint:
          "to continue a vault, use its data directory and passphrase, name it with --continue VAULT, or accept its signer "
          + "with \"fueki-backup key trust KEY\". To begin a second vault here, use --new-vault")
    case .elsewhere(let vault):
      return Failure(
        .differs, vault.sentence,
        meaning:
          "another machine of yours may make its backups, or a disk with wallets is not connected. No backup was made, so "
          + "that no machine takes another's place unnoticed. The archives in the target are unchanged",
        hint: "connect the disk, or choose. \(vault.id.ways)")
    case .notMine(let sequence, let ownership):
      return Failure(
        .untrusted,
        ownership == .stranger
          ? "archive \(sequence) is a stranger's: none of the vault's signers signed it"
          : "nothing shows that archive \(sequence) is yours",
        meaning: "anyone with your public key can make an archive that you can open; "
          + "nothing was written",
        hint: ownership == .stranger
          ? "name an archive of your own; \"fueki-backup list\" shows whose each is"
          : "\"fueki-backup create\" proves it with the passphrase. Without one, compare its signer with your "
            + "recovery kit, then \"fueki-backup key trust KEY\"")
    }
  }
}
