internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension ExitStatus {
  /// The status that a verdict ends with.
  init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .intact: .done
      case .notAnArchive: .notAnArchive
      case .incomplete: .incomplete
      case .damaged: .damaged
      case .tooNew: .tooNew
      case .untrusted: .untrusted
      case .older: .older
      case .forked: .forked
      case .wrongSecret: .wrongSecret
      case .overLimit: .overLimit
      case .forged: .forged
      case .unreadable: .failed
      }
  }
}

extension Failure {
  /// What an archive's error means for the person's money, and what to do next.
  init(_ error: ArchiveError) {
    let status = ExitStatus(error.verdict)
    switch error {
    case .notAnArchive:
      self.init(status, "this is not a Fueki archive", meaning: "nothing in it was read or changed")
    case .incomplete:
      self.init(
        status, "the file ends before the archive does",
        meaning:
          "it was cut off, or is still being copied or downloaded; the archive itself may be fine elsewhere",
        hint: "wait for the sync to finish, or take another copy")
    case .damaged(let damage):
      self.init(
        status, "the archive is damaged: \(damage.sentence)",
        meaning: "what is in the damaged part cannot be trusted; nothing was changed",
        hint: "try another copy of the same archive, or the one before it"
          + (damage == .structure ? "" : "; restore --salvage brings back what is whole"))
    case .tooNew(let newness):
      self.init(
        status, "made by a newer version (\(newness.sentence))", meaning: "the archive is not damaged",
        hint: "install a newer fueki-backup")
    case .untrusted(let problem):
      self.init(
        status, "not signed by a trusted signer: \(problem.sentence)",
        meaning: "nobody you trust says that this archive is theirs; it may have been planted")
    case .wrongSecret:
      self.init(
        status, "what was given does not open this archive",
        meaning: "its header and slots are intact, so this is not damage",
        hint: "of a passphrase, check keyboard layout, capitals and spaces; \"key list\" says what opens it")
    case .tooFewShares(let shortfall):
      self.init(
        status, shortfall.sentence, meaning: "its header and slots are intact, so this is not damage",
        hint: "ask the guardians for the rest: \"guardians check\" tells each whether their share is intact")
    case .overLimit(let limit):
      self.init(
        status, "a number in the archive is beyond the format's limits: \(limit.sentence)",
        meaning: "it was not made by this program, or it was made to exhaust this machine")
    case .forged(let rule):
      self.init(
        status, "the archive contradicts itself: \(rule.sentence)",
        meaning: "its checksums hold, so this is no accident of storage: somebody made it so",
        hint: "do not trust this file; take another archive of the vault")
    case .unreadable(let error): self.init(error)
    case .outOfMemory:
      self.init(status, "there is not enough memory to derive the key", meaning: "nothing was changed")
    }
  }

  /// What a backup's or restore's own error means.
  init(_ error: BackupError) {
    switch error {
    case .shareID(let name): self.init(.failed, "the key share \(name) has no id of 16 bytes")
    case .noTarget(let path):
      self.init(
        .notFound, path.isEmpty ? "no target was given" : "there is no target \(path)",
        meaning: "nothing was written",
        hint: Target(path: path).kind == .rclone
          ? "rclone listremotes names the remotes that are set up; rclone mkdir makes a folder on one"
          : "plug in the disk, or give --target")
    case .otherFileSystem(let path):
      self.init(
        .notFound,
        "the disk that this machine's archives are on is not mounted at \(path), which has none of them",
        meaning: "nothing was written: what is put there would not be on that disk",
        hint: "mount it; if another disk takes its place, create --accept-loss begins there anew")
    case .malformedTarget(let path):
      self.init(
        .usage, "\(path) is no place on a remote: write rclone:REMOTE:PATH",
        meaning: "settings and secrets do not belong into a command line, which others can read",
        hint: "set the remote up with rclone config, and give its name")
    case .noArchive(let name):
      self.init(.notFound, "there is no archive \(name)", hint: "fueki-backup list --target DIR")
    case .isFolder(let path):
      self.init(
        .notFound, "\(path) is a folder, and no archive", meaning: "nothing was read or changed",
        hint: "its newest archive is: latest --target \(path)")
    case .noWallet(let id):
      self.init(
        .notFound, "the archive has no wallet \(id)", meaning: "nothing was changed",
        hint: "export --only wallets lists them with their ids")
    case .ambiguous(let name, let candidates):
      self.init(.usage, "\(name) could be \(candidates.joined(separator: " or "))", hint: "give more digits")
    case .severalVaults(let count):
      self.init(
        .usage, "archives of \(count) vaults lie here, so \"latest\" is not clear",
        hint:
          "fueki-backup list, then name one archive; or say with --vault which of the configuration's is meant"
      )
    case .locked(let owner):
      self.init(
        .locked, "another run holds the lock\(owner.map { " (\($0))" } ?? "")",
        meaning: "nothing was changed",
        hint: "wait for it to end, or let this run wait with --wait 10m")
    case .keychain(let problem): self.init(problem)
    case .wouldOverwrite(let path):
      self.init(
        .wouldOverwrite, "\(path) is there already, and differs", meaning: "nothing was changed",
        hint: "give another --datadir or --output")
    case .conflicts(let conflicts):
      let count = conflicts.count == 1 ? "1 record is" : "\(conflicts.count) records are"
      self.init(
        .wouldOverwrite, "\(count) there already, and the archive has other ones",
        meaning: "nothing was changed",
        hint: "--on-conflict skip, newer, replace or rename says what becomes of them")
      self.conflicts = conflicts
    case .notReplaceable(let path, let obstacle): self.init(path, obstacle)
    case .olderThanKnown(let sequence, let known):
      self.init(
        .older, "archive \(sequence) is older than \(known), the newest known of its vault",
        meaning: "what was added since is not in it",
        hint: "take the newest; a restore can insist with --accept-older")
    case .olderShares(let older): self.init(older)
    case .proofsDiffer(let proofs): self.init(proofs)
    case .hazards(let wallets): self.init(wallets)
    case .forked(let sequence, let known):
      self.init(
        .forked, "the vault's history divides at archive \(sequence) (this machine knows \(known))",
        meaning: "two machines made backups of the same vault, or somebody replaced one",
        hint: "fueki-backup list shows both; --adopt continues from the one in the target")
    case .unknownSuccessor(let sequence, let known):
      self.init(
        .forked,
        "the target holds archive \(sequence) of this vault, which this machine has never seen"
          + (known.map { " (it knows \($0))" } ?? ""),
        meaning: "another machine made it, or this machine's state was lost; nothing was written",
        hint: "if it is yours, run again with --adopt")
    case .unknownLineage(let sequence):
      self.init(
        .untrusted,
        "the target holds archives of this vault, up to number \(sequence), and this machine knows nothing of them",
        meaning:
          "this machine's state was lost, or another machine makes this vault's backups; nothing was written, "
          + "so that the vault does not begin a second time",
        hint:
          "accept the vault's signer with \"fueki-backup key trust KEY\" (the fingerprint is on your recovery kit), "
          + "or continue with --adopt")
    case .implausibleSequence(let sequence, let known):
      self.init(
        .forked,
        "an archive says that it is number \(sequence) of this vault"
          + (known.map { ", which has come to \($0)" } ?? ""),
        meaning: "nobody makes so many: somebody wants the vault to have no number left; nothing was written",
        hint: "remove that archive from the target")
    case .unsignedSuccessor:
      self.init(
        .usage, "this vault's archives are signed, and the key that signs them is not here",
        meaning: "an unsigned archive could not be told from a stranger's; nothing was written",
        hint: "give --sign-key, or insist with --unsigned")
    case .notMine(let sequence, let ownership):
      self.init(
        .untrusted,
        ownership == .stranger
          ? "archive \(sequence) is a stranger's: none of the vault's signers signed it"
          : "nothing shows that archive \(sequence) is yours",
        meaning: "that it opens proves nothing: whoever has your public key can make such an archive; "
          + "nothing was written",
        hint: ownership == .stranger
          ? "name an archive of your own; \"fueki-backup list\" shows whose each is"
          : "compare its signer with your recovery kit, then \"fueki-backup key trust KEY\"")
    case .unusableNewest(let path, let verdict, let usable):
      self.init(
        ExitStatus(verdict), "a file above the newest archive cannot be used (\(verdict.rawValue)): \(path)",
        meaning: verdict == .tooNew
          ? "it may be your newest backup, made by a newer version of this program, or anybody's"
          : "it may be your newest backup, damaged or still on its way, or anybody's",
        hint: (verdict == .tooNew
          ? "try a newer version of fueki-backup" : "wait until it has arrived, or look for another copy")
          + "; the newest that can be used is \(usable): name it, or restore with --accept-older")
    case .partlyOpen(let closed):
      self.init(
        .wrongSecret, "what was given opens only a part: \(closed.joined(separator: " and ")) stays closed",
        meaning: "sealing the archive anew would lose what it cannot read, so nothing was written",
        hint: "give a key that opens all of it")
    case .readBackDiffers(let path):
      self.init(
        .failed, "what was read back from \(path) is not what was written",
        meaning: "the disk, its driver or the service is failing; the archive was not published there",
        hint: "choose another target")
    case .checksumDiffers(let path, let kind):
      self.init(
        .failed, "the \(kind) checksum that the remote has of \(path) is not that of what was sent",
        meaning: "the archive was not published there",
        hint: "try again; if it stays so, choose another target")
    case .countDiffers(let section, let reported, let written):
      self.init(
        .failed, "\(section): \(reported) records were announced and \(written) came",
        meaning: "nothing was published")
    case .sourceKeepsChanging(let name):
      self.init(
        .failed, "\(name) kept changing while it was read", meaning: "nothing was written", hint: "try again")
    case .keychainDiffers:
      self.init(
        .failed, "the keychain read back has not the shares that were put in",
        meaning: "nothing was put in place")
    case .malformedRecord(let section):
      self.init(
        .forged, "a record of \(section) is not what the section holds", meaning: "nothing was put in place")
    case .newerRecords(let schema):
      self.init(
        .tooNew,
        "made by a newer version (records of schema \(schema); this program knows \(RecordSchema.current))",
        meaning: "the archive is not damaged; nothing was put in place",
        hint: "install a newer fueki-backup")
    case .nothingToBackUp:
      self.init(
        .failed, "there is nothing to back up", meaning: "no archive was made",
        hint: "check --from and --only")
    case .loss(let losses):
      let all = losses.map { "\($0.section) has \($0.now) of \($0.before)" }.joined(separator: ", ")
      self.init(
        .differs, "much of what the last archive has is gone: \(all)",
        meaning: "nothing was published, so that an empty wallet does not age out the good backups",
        hint: "if you removed it yourself, run again with --accept-loss")
    case .interrupted: self.init(.interrupted, "interrupted", meaning: "nothing half-written is left")
    case .stateDamaged(let path):
      self.init(
        .failed, "this machine's state cannot be read: \(path)", meaning: "nothing was written",
        hint: "remove the file, and run again with --adopt")
    }
  }

  private init(_ problem: BackupError.KeychainProblem) {
    switch problem {
    case .missingSecret:
      self.init(CommandError.noSecret(.keychain))
    case .wrongSecret:
      self.init(
        .wrongSecret, "the wallet's keychain does not open with this secret",
        meaning: "nothing was changed", hint: "check the passphrase")
    case .damaged:
      self.init(
        .damaged, "the wallet's keychain is damaged", meaning: "its key shares cannot be read here",
        hint: "restore the newest archive that verifies into another data directory")
    case .newer: self.init(.tooNew, "the wallet's keychain was made by a newer version")
    case .notThere:
      self.init(
        .wrongSecret, "the wallet's store speaks of key shares, and there is no keychain beside it",
        meaning: "nothing was changed", hint: "check --datadir")
    }
  }

  private init(_ path: String, _ obstacle: BackupError.Obstacle) {
    let meaning = "nothing was changed"
    switch obstacle {
    case .symbolicLink:
      self.init(
        .wouldOverwrite, "\(path) is a symbolic link, which would be replaced and not what it points to",
        meaning: meaning, hint: "give the directory itself with --datadir")
    case .mountPoint:
      self.init(
        .wouldOverwrite, "\(path) is a mount point, which cannot be replaced", meaning: meaning,
        hint: "restore into a directory below it with --datadir")
    case .inUse:
      self.init(
        .locked, "a wallet is running: it has the store in \(path) open", meaning: meaning,
        hint: "close the wallet, and try again")
    case .foreignEntry(let name):
      self.init(
        .wouldOverwrite, "\(path) holds \(name), which is neither file nor directory and cannot be kept",
        meaning: meaning, hint: "move it elsewhere, or restore into another --datadir")
    case .noExchange:
      self.init(
        .failed, "the file system of \(path) cannot swap two directories in one step",
        meaning:
          "at some moment neither the old wallet nor the new one would be there, so nothing was changed",
        hint: "restore into a new --datadir, or move the data directory to another file system first")
    }
  }

  private init(_ error: CommandError) { self.init(describing: error) }
}
