internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `mend`: makes good what is damaged in an archive, with the recovery files beside it.
struct MendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mend", abstract: "Repair a damaged archive with the recovery files beside it.",
    discussion: "The damaged file is kept; see fueki-backup-mend(1).")

  @Argument(
    help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"), completion: .file())
  var archive: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @Option(
    help: ArgumentHelp("A vault's newest archive that you know, VAULT:SEQUENCE:DIGEST.", valueName: "known"))
  var known: [String] = []
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let configuration = try settings.load()
    let whose = try trust.trust(configuration)
    var given = try KnownLinks(known)
    if let checkpoint = try trust.checkpoint(whose) { try given.add(checkpoint) }
    let links = given.links
    let path = try ArchiveFinder(
      targets: targets.targets(configuration), trust: whose, vault: { configuration.meantVaultID }
    ).path(of: archive)
    let holder = Target(holding: path)
    guard !configuration.isAppendOnly(holder) else { throw TargetError.appendOnly(path: holder.path) }
    let progress = try output.progressLine
    defer { progress.clear() }
    var run = MendRun(path, known: { try VaultState.Link.newer(links[$0], whose.known(of: $0)) }) {
      try progress.show($0.text, $0.amount)
    }
    run.trusted = try trust.demanded(configuration)
    let state = try lock.take("mend", output)
    let outcome = try run.run(state: state)
    progress.clear()
    guard !output.json else { return Document.write(MendDocument(outcome)) }
    print(outcome, output.console)
  }

  private func print(_ outcome: MendOutcome, _ console: Console) {
    guard let damaged = outcome.damaged else {
      return console.report("\(outcome.path) is whole: nothing was changed")
    }
    console.report(outcome.path)
    let blocks = Readable.count(outcome.blocks, "block")
    console.report(
      "mended: \(blocks) repaired; every byte of archive \(outcome.digest?.shortID ?? "") is as it was written"
    )
    if !outcome.isOfKnownDigest {
      console.report(
        "nothing here names its digest, so it was only checked against itself: give --known, --checkpoint or --trusted-signer to "
          + "learn whether it is the archive that was there")
    }
    console.report("the damaged file is kept as \(damaged)")
  }
}

extension MendEvent {
  /// What is being done, in a few words.
  fileprivate var text: String {
    switch self {
    case .verifying: "verifying"
    case .copying: "copying"
    case .repairing: "repairing"
    case .checking: "checking the result"
    }
  }

  fileprivate var amount: ProgressAmount? {
    guard case .repairing(let percent) = self else { return nil }
    return ProgressAmount(done: UInt64(max(0, percent)), all: 100, unit: .percent)
  }
}

/// `mend --json`.
struct MendDocument: Encodable {
  let schema = "fueki.mend/1"
  let archive: String
  let mended: Bool
  let id: String?
  let damagedFile: String?
  let blocks: Int
  let digestKnown: Bool
  let authenticity: String?

  enum CodingKeys: String, CodingKey {
    case schema, archive, mended, id, blocks, authenticity
    case damagedFile = "damaged_file"
    case digestKnown = "digest_known"
  }

  init(_ outcome: MendOutcome) {
    archive = outcome.path
    mended = outcome.damaged != nil
    id = outcome.digest?.hex
    damagedFile = outcome.damaged
    blocks = outcome.blocks
    digestKnown = outcome.isOfKnownDigest
    authenticity = outcome.authenticity?.rawValue
  }
}
