internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `key-shares`: what concerns key shares alone.
struct SharesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key-shares", abstract: "Check key shares.", subcommands: [SharesCheckCommand.self])
}

/// `key-shares check`: are these key shares sound, of one key, enough for the threshold, and whose address is it.
struct SharesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check that key shares are sound, of one key, and enough to sign.",
    discussion: "Exit status: 0 valid, 60 something differs. See fueki-backup-key-shares(1).")

  @Argument(
    help: ArgumentHelp("An archive, or files of key shares and folders of them.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Flag(help: "Fail if there are fewer shares than it takes to sign.")
  var requireThreshold = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let checked: CheckedShares
    let mayBeArchive = files.count == 1 && (try? Directory.open(files[0])) == nil
    let loaded = mayBeArchive ? try settings.load() : nil
    if mayBeArchive { try secrets.readGiven(console) }
    let configuration = try sandbox.enter(needs(loaded), loaded ?? Configuration(), console)
    if mayBeArchive, let found = try archive(configuration, console) {
      checked = try check(found, configuration, console)
    } else {
      checked = try CheckedShares(KeyShareFiles(files))
    }
    if output.json {
      Document.write(checked.document)
    } else {
      ShareLines.print(checked, console)
    }
    guard checked.isSound else { throw ExitStatus.differs }
    guard !requireThreshold || checked.report.isEnough else { throw ExitStatus.partial }
  }

  /// Returns the archive that the only argument identifies; nil if it is another file.
  private func archive(_ configuration: Configuration, _ console: Console) throws -> FoundArchive? {
    do {
      return try FoundArchive(files[0], in: targets.targets(configuration), trust, configuration, console)
    } catch ArchiveError.notAnArchive {
      return nil
    }
  }

  /// Returns the given secrets, or asks for them at a terminal.
  private func unlocking(_ stored: StoredArchive, _ console: Console) throws -> UnlockingSecrets {
    if let given = try secrets.unlockingWithoutAsking(console) { return given }
    guard Terminal.isAvailable else {
      throw Failure(
        .wrongSecret, "without a secret, the key shares cannot be checked",
        meaning: "the archive is undamaged, but even the public sides of its shares are sealed",
        hint: "use a secret that opens the profile. A secret that opens the secrets too compares each share's"
      )
    }
    return try secrets.unlocking(stored, readsFiles: false, console)
  }

  private func check(
    _ found: FoundArchive, _ configuration: Configuration, _ console: Console
  ) throws -> CheckedShares {
    try found.checkNewest()
    let names = configuration.slotNames(of: found.stored)
    let open = try found.stored.opened(
      with: try unlocking(found.stored, console), names: names, bases: nil, trusting: try found.trusted)
    guard open.scopes.contains(.profile) else {
      throw Failure(
        .wrongSecret, "this secret does not open the profile, where the shares' public sides are",
        meaning: "it opens \(open.scopes.map(\.name).joined(separator: ", "))")
    }
    return CheckedShares(
      report: try open.checkShares(ShareEncoding.all), archive: open.digest.hex,
      secretsAreOpen: open.scopes.contains(.secrets))
  }
}

/// A check of key shares as lines.
enum ShareLines {
  static func print(_ checked: CheckedShares, _ console: Console) {
    for file in checked.unreadable { console.line("DIFFERS   \(file.file): \(file.reason)") }
    for file in checked.passedOver { console.detail("\(file.file): \(file.reason)") }
    if checked.report.sets.isEmpty, checked.unreadable.isEmpty { console.line("there are no key shares") }
    for set in checked.report.sets { print(set, console) }
    guard checked.archive != nil, !checked.secretsAreOpen, !checked.report.sets.isEmpty else { return }
    console.line("only the public sides of the shares were checked: this secret does not open their secrets")
  }

  private static func print(_ set: ShareSet, _ console: Console) {
    console.line("key       \(set.groupKey.map { Hex.encode($0) } ?? "the shares do not agree on one")")
    let kind = [set.curve?.rawValue, set.protocolName, set.epoch.map { "epoch \($0)" }].compactMap(\.self)
    if !kind.isEmpty { console.line("kind      \(kind.joined(separator: ", "))") }
    for share in set.shares {
      let party = share.descriptor.hasPartyIndex ? "party \(share.descriptor.partyIndex), " : ""
      console.line("share     \(share.name.short): \(party)\(sentence(share))")
    }
    if let evm = set.addresses?.evm { console.line("address   \(evm) (EVM)") }
    for address in set.bitcoinAddresses { console.line("address   \(address) (Bitcoin)") }
    if let solana = set.addresses?.solana { console.line("address   \(solana) (Solana)") }
    for wallet in set.wallets { console.line("wallet    \"\(wallet.name)\" has \(wallet.address)") }
    for finding in set.findings {
      let names = finding.shares.map(\.short).joined(separator: ", ")
      let text = names.isEmpty ? finding.sentence : "\(names): \(finding.sentence)"
      console.line("\(finding.isDifference ? "DIFFERS  " : "note     ") \(text)")
    }
    console.line("result    \(set.summary)")
  }

  private static func sentence(_ share: KnownShare) -> String {
    switch share.secret {
    case .absent: "only its public side is here"
    case .closed: "its secret was not opened"
    case .unknownEncoding: "its secret was not compared"
    case .malformed: "its secret is not a key"
    case .point:
      share.isUsable ? "its secret belongs to its public point" : "its secret belongs to another share"
    }
  }
}

extension ShareSet {
  /// Whether the set is sound and enough, in one line.
  var summary: String {
    let needed =
      switch threshold {
      case .stated(let count): "\(count) sign together"
      case .derived(let count): "\(count) sign together, as the public points say"
      case .unknown: "it is not known how many sign together"
      }
    guard isSound else { return "NOT SOUND; \(needed)" }
    guard let atHand else { return "sound; \(needed)" }
    let count = threshold.count.map { isEnough ? "enough" : "\($0 - atHand) too few to sign" }
    return (["sound", count, "\(atHand) here", needed].compactMap(\.self)).joined(separator: "; ")
  }
}

/// The checked shares, and their origin.
struct CheckedShares {
  let report: ShareReport
  /// The archive's digest; nil for files.
  var archive: String?
  var secretsAreOpen = true
  /// Files that were to be shares and cannot be read as such, with the reason.
  var unreadable: [KeyShareFiles.Refused] = []
  /// Files of a folder that are no shares.
  var passedOver: [KeyShareFiles.Refused] = []

  var isSound: Bool { report.isSound && unreadable.isEmpty }
}

extension CheckedShares {
  /// Checks files as one set, unless one of them has shares of several keys.
  init(_ files: KeyShareFiles) throws {
    report = try ShareCheck.run(files.shares, grouping: files.haveSeveralKeys ? .byWallet : .oneSet)
    unreadable = files.unreadable
    passedOver = files.passedOver
  }
}

extension CheckedShares {
  /// `key-shares check --json`.
  fileprivate var document: Members {
    [
      "schema": "fueki.key-shares/1",
      "archive": archive,
      "secrets": secretsAreOpen ? "opened" : "closed",
      "sets": report.sets.map(\.document),
      "unreadable": unreadable.map { ["file": $0.file, "reason": $0.reason] as Members },
      "sound": isSound,
      "enough": report.isEnough,
    ]
  }
}

extension ShareSet {
  fileprivate var document: Members {
    let origin: String? =
      switch threshold {
      case .stated: "stated"
      case .derived: "points"
      case .unknown: nil
      }
    return [
      "key": groupKey.map { Hex.encode($0) },
      "curve": curve?.rawValue,
      "protocol": protocolName,
      "epoch": epoch,
      "threshold": threshold.count,
      "thresholdFrom": origin,
      "total": total,
      "here": atHand,
      "shares": shares.map(\.document),
      "findings": findings.map {
        [
          "id": $0.id, "shares": $0.shares.map(\.short), "party": $0.party, "text": $0.sentence,
          "isDifference": $0.isDifference,
        ] as Members
      },
      "addresses": [
        "evm": addresses?.evm?.description, "bitcoin": bitcoinAddresses, "solana": addresses?.solana,
      ] as Members,
      "wallets": wallets.map { ["name": $0.name, "address": $0.address] as Members },
      "sound": isSound,
      "enough": isEnough,
    ]
  }
}

extension KnownShare {
  fileprivate var document: Members {
    [
      "name": descriptor.name, "id": Hex.encode(name.id),
      "party": descriptor.hasPartyIndex ? descriptor.partyIndex : nil, "secret": secretState,
    ]
  }

  /// The state of the secret, in one word.
  private var secretState: String {
    switch secret {
    case .absent: "absent"
    case .closed: "closed"
    case .unknownEncoding: "not-read"
    case .malformed: "malformed"
    case .point: isUsable ? "matches" : "differs"
    }
  }
}

extension ShareSet {
  /// The key's addresses on Bitcoin itself.
  var bitcoinAddresses: [String] {
    BitcoinNetwork.named("bitcoin").flatMap { network in addresses?.bitcoin(on: network) } ?? []
  }
}
