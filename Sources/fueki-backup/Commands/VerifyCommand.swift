internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `verify`: whether archives are as they were written, in CI with no secret.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check archives: structure, every byte, or with a secret every record.",
    discussion: "The exit status is that of the worst archive; see fueki-backup-verify(1).")

  @Argument(help: ArgumentHelp("Archives, or targets that they lie in.", valueName: "archive"))
  var archives: [String]
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("structure, checksums or contents.", valueName: "depth"))
  var depth = DepthArgument.checksums
  @OptionGroup var trust: TrustOptions
  @Option(
    help: ArgumentHelp("The newest archive known of a vault, VAULT:SEQUENCE:DIGEST.", valueName: "known"))
  var known: [String] = []
  @Option(help: ArgumentHelp("Write a report for CI: junit=FILE.", valueName: "junit=file"))
  var report: String?
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    try HookedRun("verify", configuration, console).run { try verify(configuration, $0, console) }
  }

  private func verify(_ configuration: Configuration, _ facts: RunFacts, _ console: Console) throws {
    facts.targets = archives.filter { (try? Directory.open($0)) != nil }
    let report = try report.map(JUnitReport.path)
    let trusted = try trust.keys(configuration, checksSignatures: depth != .structure)
    var verification = Verification(depth: depth.depth, trusted: trusted)
    var given = try KnownLinks(known)
    let checkpoint = try trust.checkpoint(trusting: trusted)
    if let checkpoint { try given.add(checkpoint) }
    let remembered = (try? Places.state())?.vaults() ?? [:]
    let subjects = try subjects(targets.finder(configuration))
    if depth == .contents, !subjects.isEmpty { verification.secrets = try secrets.unlocking(console) }
    var results = try results(of: subjects, verification, given, remembered, configuration, console)
    for index in VerificationResult.markForks(in: &results) { VerifyLines.print(results[index], console) }
    note(results)
    tell(results, to: facts)
    let missing = missingSubject(results, checkpoint)
    if let report { try JUnitReport.write(results, missing: missing?.message, to: report) }
    if let missing { throw Failure.Thrown(failure: missing) }
    if output.json { Document.write(VerifyDocument(results)) }
    let worst = results.map { ExitStatus($0.verdict) }.filter { $0 != .done }
    guard let first = worst.max(by: { Self.weight($0) < Self.weight($1) }) else { return }
    throw ExitCode(first.rawValue)
  }

  /// What hooks may know: the vault where it is one, and the archive where it is one.
  private func tell(_ results: [VerificationResult], to facts: RunFacts) {
    let vaults = Set(results.compactMap { $0.facts?.vaultID })
    if vaults.count == 1 { facts.vault = vaults.first }
    if results.count == 1, let only = results.first {
      facts.note(archive: only.path, digest: only.digest, sequence: only.facts?.sequence)
    }
  }

  /// Remembers that a folder's newest archives are whole, on a machine that makes backups; elsewhere nothing is kept.
  private func note(_ results: [VerificationResult]) {
    guard depth != .structure, let state = try? Places.state(), state.exists else { return }
    var newest: [String: VerificationResult] = [:]
    for result in results {
      guard let facts = result.facts else { continue }
      let key = "\(Hex.encode(facts.vaultID)) \(Target(holding: result.path).path)"
      if facts.sequence > newest[key]?.facts?.sequence ?? 0 { newest[key] = result }
    }
    let folders = archives.filter { (try? Target(path: $0).check()) != nil }
    for (key, result) in newest where result.verdict == .intact {
      let folder = String(key.drop { $0 != " " }.dropFirst())
      let isAll = archives == ["latest"] || folders.contains { $0 == folder || $0 == folder + "/" }
      guard let facts = result.facts, isAll else { continue }
      try? state.note(
        .verify, target: folder, vault: facts.vaultID, archive: result.digest,
        sequence: facts.sequence)
    }
  }

  /// Verifies one after another, and says what was found of each.
  private func results(
    of subjects: [(path: String, Subject)], _ verification: Verification, _ given: KnownLinks,
    _ remembered: [[UInt8]: Result<VaultState, any Error>], _ configuration: Configuration, _ console: Console
  ) throws -> [VerificationResult] {
    let progress = output.progressLine
    return try subjects.map { path, subject in
      let start = SystemClock.monotonicSeconds
      var verification = verification
      verification.symbolicLinks = subject == .named ? .follow : .refuse
      var result = try verification.run(on: path) { vault in
        switch subject {
        case .named: given.link(of: vault)
        case .newestOfFolder: try VaultState.Link.newer(given.link(of: vault), remembered[vault]?.get().known)
        case .otherOfFolder: nil
        }
      } progress: { _ in
        try progress.show("verifying \(path)")
      }
      progress.clear()
      result.seconds = SystemClock.monotonicSeconds - start
      VerifyLines.print(result, console, failure: Self.failure(result, configuration))
      return result
    }
  }

  /// What is said where nothing that was given opens an archive; nil of any other result.
  private static func failure(_ result: VerificationResult, _ configuration: Configuration) -> Failure? {
    guard let error = result.error, error == .wrongSecret, let stored = try? StoredArchive(at: result.path)
    else { return nil }
    return configuration.slotNames(of: stored).failure(error, stored)
  }

  /// What was asked for and is not here: nothing was verified of it, which is no success.
  private func missingSubject(_ results: [VerificationResult], _ checkpoint: SignedCheckpoint?) -> Failure? {
    guard !results.isEmpty else {
      return Failure(BackupError.noArchive(name: archives.joined(separator: ", ")))
    }
    guard let checkpoint, !results.contains(where: { $0.facts?.vaultID == checkpoint.vaultID }) else {
      return nil
    }
    return Failure(
      .notFound, "no archive here is of the checkpoint's vault, \(Hex.encode(checkpoint.vaultID))",
      meaning: "the archives were removed, or replaced by another vault's")
  }

  /// How an archive came to be looked at.
  private enum Subject {
    case named
    case newestOfFolder
    case otherOfFolder
  }

  /// The archives to look at.
  ///
  /// Of a folder's, only each vault's newest is compared with what this machine knows: that the others are older is
  /// what a folder of backups is for.
  private func subjects(_ finder: ArchiveFinder) throws -> [(path: String, Subject)] {
    try archives.flatMap { name -> [(path: String, Subject)] in
      guard let entries = try entries(of: name) else {
        let path = try finder.path(of: name)
        return [(path, .named)]
      }
      var newest: [[UInt8]: UInt64] = [:]
      for case let facts? in entries.map(\.archive?.facts) {
        newest[facts.vaultID] = max(newest[facts.vaultID] ?? 0, facts.sequence)
      }
      return entries.map { entry in
        let isNewest = entry.archive.map { newest[$0.facts.vaultID] == $0.facts.sequence } ?? false
        return (entry.path, isNewest ? .newestOfFolder : .otherOfFolder)
      }
    }
  }

  /// What lies in a target; nil where the name is no target's.
  private func entries(of name: String) throws -> [TargetEntry]? {
    do {
      return try Target(path: name).entries()
    } catch BackupError.noTarget {
      return nil
    }
  }

  /// What was made on purpose weighs more than what broke.
  private static func weight(_ status: ExitStatus) -> Int {
    let order: [ExitStatus] = [
      .failed, .notAnArchive, .incomplete, .older, .tooNew, .overLimit, .wrongSecret, .damaged, .untrusted,
      .forked,
      .forged,
    ]
    return order.firstIndex(of: status) ?? 0
  }
}

/// A depth as people type it.
enum DepthArgument: String, CaseIterable, ExpressibleByArgument {
  case structure
  case checksums
  case contents

  var depth: VerificationDepth {
    switch self {
    case .structure: .structure
    case .checksums: .checksums
    case .contents: .contents
    }
  }
}
