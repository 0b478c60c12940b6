internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `repair`: repairs a damaged archive with the recovery files next to it.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Repair a damaged archive with the recovery files next to it.",
    discussion: "The damaged file is kept. See fueki-backup-repair(1).")

  @Argument(
    help: .archive, completion: .file())
  var archive: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var trust: TrustOptions
  @Option(
    help: .known)
  var known: [String] = []
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    // The state's folder has to be there before the sandbox is.
    let state = try lock.take("repair", output)
    // Read before: the program that repairs stays in the same sandbox, and may not read a file with a secret.
    let unlocking = try secrets.unlockingWithoutAsking(output.console)
    let configuration = try sandbox.enter(needs(loaded), loaded, output.console)
    var whose = try trust.trust(configuration)
    var given = try KnownLinks(known)
    for checkpoint in try trust.checkpoints(whose) { try given.add(checkpoint) }
    whose.given = given.links
    let path = try path(trusting: whose, configuration)
    let holder = Target(holding: path)
    guard !configuration.isAppendOnly(holder) else { throw TargetError.appendOnly(path: holder.path) }
    let progress = try output.progressLine
    defer { progress.clear() }
    var run = MendRun(path, trust: whose) { try progress.show($0.text, $0.amount) }
    run.trusted = try trust.demanded(configuration)
    run.acceptance = unlocking.map { SignerAcceptance(secrets: $0) }
    let outcome = try run.run(state: state)
    progress.clear()
    if output.json { Document.write(outcome.document) } else { print(outcome, output.console) }
    try ExitStatus(outcome.place).end()
  }

  /// The archive's path; of a folder that of its newest archive.
  private func path(trusting trust: Trust, _ configuration: Configuration) throws -> String {
    let finder = { ArchiveFinder(targets: $0, trust: trust, vault: { configuration.meantVaultID }) }
    do {
      return try finder(targets.targets(configuration)).path(of: archive)
    } catch FindingError.isFolder(let path) {
      return try finder([Target(path: path)]).latest().path
    }
  }

  private func print(_ outcome: MendOutcome, _ console: Console) {
    let id = outcome.digest?.shortID ?? ""
    let blocks = Readable.count(outcome.blocks, "block")
    switch outcome.place {
    case .untouched: return console.report("\(outcome.path) is whole: nothing was changed")
    case .named(let own, let damaged):
      console.report(outcome.path)
      console.report("repaired: \(blocks). Every byte of archive \(id) is as it was written")
      console.report("it is yours: \(own.proof.sentence)")
      if !outcome.isOfKnownDigest {
        console.report(
          "Nothing here names its digest. With --known or --checkpoint it is compared with that as well."
        )
      }
      console.report("the damaged file is kept as \(damaged)")
    case .beside(let path, let ownership):
      console.report(path)
      console.report("repaired under this name: \(blocks) repaired. Every byte fits archive \(id)")
      console.warning(
        "\(ownership.reasonForOtherName), so \(outcome.path) keeps its name and its damage")
      console.note(ownership.nextStep)
    }
  }
}

extension Ownership {
  /// Why a repaired archive did not get the name of the damaged one.
  fileprivate var reasonForOtherName: String {
    switch self {
    case .mine: "the repaired archive is yours, but nothing shows that it equals the file that was there"
    case .unknown: "nothing here shows that the repaired archive is yours"
    case .stranger: "no signer of the vault signed the repaired archive"
    }
  }

  fileprivate var nextStep: String {
    switch self {
    case .mine: "look at it with \"show\". If it is the archive that you miss, restore from this file"
    case .unknown:
      "repair it again with --passphrase-from, with --trusted-signer and the signer on your recovery kit, or on the "
        + "machine that made it"
    case .stranger:
      "do not restore from it unless you know who made it. If another machine of yours did, repair it again with "
        + "--passphrase-from"
    }
  }
}

extension OwnArchive.Proof {
  /// The proof that an archive is the user's.
  fileprivate var sentence: String {
    switch self {
    case .state: "this machine, or --known or --checkpoint, knows its digest"
    case .signature: "a signer of the vault signed it"
    case .successor: "a later archive of yours names it as the one before"
    case .opened: "your secret opens it"
    }
  }
}

extension ExitStatus {
  /// The status of a repair: another one if the result does not have the archive's name.
  fileprivate init(_ place: MendOutcome.Place) {
    self =
      switch place {
      case .untouched, .named: .done
      case .beside: .besideDamaged
      }
  }
}

extension MendEvent {
  /// The current step, in a few words.
  fileprivate var text: String {
    switch self {
    case .verifying: "verifying"
    case .copying: "copying"
    case .repairing: "repairing"
    case .checking: "checking the result"
    case .opening: "trying to open the result"
    }
  }

  fileprivate var amount: ProgressAmount? {
    guard case .repairing(let percent) = self else { return nil }
    return ProgressAmount(done: UInt64(max(0, percent)), all: 100, unit: .percent)
  }
}

extension MendOutcome {
  /// `repair --json`.
  fileprivate var document: Members {
    let result: Members =
      switch place {
      case .untouched: ["repaired": false]
      case .named(let own, let damaged):
        [
          "repaired": true, "damagedFile": damaged, "ownership": Ownership.mine.rawValue,
          "proof": own.proof.rawValue,
        ]
      case .beside(let path, let whose):
        ["repaired": false, "repairedFile": path, "ownership": whose.rawValue]
      }
    return result + [
      "schema": "fueki.repair/1", "archive": path, "id": digest?.hex, "blocks": blocks,
      "digestKnown": isOfKnownDigest, "authenticity": authenticity?.rawValue,
    ]
  }
}

extension MendError: Explained {
  var failure: Failure {
    switch self {
    case .noProgram:
      Failure(
        .failed, "par2, which makes and uses recovery files, is not installed",
        meaning: "nothing was repaired, and no recovery files were made",
        hint: "install Debian's package par2")
    case .noParity(let path):
      Failure(
        .damaged, "there are no recovery files next to \(path)", meaning: "nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    case .beyondParity(let path, let needed, let available):
      Failure(
        .damaged, "\(path) cannot be repaired: \(needed) recovery blocks are needed, \(available) are here",
        meaning: "nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    case .parityUnusable(let path):
      Failure(
        .damaged, "the recovery files next to \(path) are damaged, or belong to another file",
        meaning: "nothing was changed",
        hint: "try another copy of them. \"fueki-backup restore --salvage\" brings back what is whole")
    case .otherArchive(let path):
      Failure(
        .forged, "the recovery files next to \(path) produce a different file",
        meaning: "a stranger put them there, or they were mixed up. Nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    case .onRemote(let path):
      Failure(
        .usage, "\(path) is on a remote, where repair does not work", meaning: "nothing was changed",
        hint: "copy it and its .par2 files into a folder with rclone copy, repair it there, and copy it back")
    case .programFailed(let said):
      Failure(.failed, "par2 failed: \(said)", meaning: "the archive was not changed")
    case .system(let error):
      Failure(.failed, "par2 failed: \(error.sentence)", meaning: "the archive was not changed")
    case .tooMuchWritten:
      Failure(
        .forged, "the recovery files would produce a file longer than the archive can be",
        meaning: "a stranger put them there. Nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    }
  }
}

extension Mendability {
  /// Whether it can be repaired, as the rest of a sentence that begins with the verdict.
  var sentence: String {
    switch self {
    case .possible(let needed, let available):
      "damaged, and can be repaired: \(needed) of \(available) blocks of the recovery files are needed"
    case .impossible(let needed, let available):
      "damaged, and cannot be repaired: \(needed) recovery blocks are needed, \(available) are here"
    case .unknown(let error): "unknown whether it can be repaired: \(error.failure.message)"
    }
  }
}

extension Failure {
  /// Returns the failure of a damaged archive that has recovery files next to it; nil for any other.
  func naming(repair path: String?) -> Failure? {
    guard let path, !Parity.files(besideArchive: path).isEmpty else { return nil }
    var failure = self
    let other = hint.map { ". Or \($0)" } ?? ""
    failure.hint =
      "repair it with the recovery files next to it: fueki-backup repair \(ShellWord.quoted(path))" + other
    return failure
  }
}
