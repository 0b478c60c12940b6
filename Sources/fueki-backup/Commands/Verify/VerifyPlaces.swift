internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

// The archives that `verify` verifies: those of folders, and those that the user named.

extension VerifyCommand {
  /// An archive, or the contents of a target.
  struct Looked {
    let name: String
    let isTarget: Bool
    let subjects: [VerifySubject]
    /// The target's contents, of all parts.
    var entries: [TargetEntry] = []
    /// Sentences about a target's archives that do not fit together.
    var gaps: [String] = []
    /// The paths of archives that were removed while the target was read.
    var removed: [String] = []
    /// The number of archives in other parts.
    var left = 0
  }

  /// Returns the paths that can be listed or are archives, and adds all of their archives to a list's vaults.
  ///
  /// Which signers an archive needs depends on the others.
  func listed(
    _ listings: TargetListings, _ expectation: inout ExpectedVerification?, _ configuration: Configuration
  ) throws -> [String] {
    guard var found = expectation else { return archives }
    let hasTargets = found.hasTargets
    var folders: [(Target, [TargetEntry])] = []
    var named: [(StoredArchive, path: String)] = []
    let finder = ArchiveFinder(targets: targets.targets(configuration))
    let names = try found.readable(archives) { name in
      let target = Target(path: name)
      if let entries = try hasTargets ? listings.list(target) : entries(of: name, listings) {
        folders.append((target, entries))
      } else if let path = try? finder.path(of: name), let archive = try? StoredArchive(at: path) {
        named.append((archive, path))
      }
      return [name]
    }
    for (target, entries) in folders {
      found.vaults.add(entries.filter { shard?.contains($0) ?? true }, of: target)
    }
    for (archive, path) in named { found.vaults.add(archive, at: path) }
    expectation = found
    return names
  }

  func look(
    at name: String, _ listings: TargetListings, _ vaults: VerifiedVaults?,
    _ configuration: Configuration, _ console: Console
  ) throws -> Looked {
    guard let all = try entries(of: name, listings) else {
      if shard != nil {
        throw CommandError.usage("--shard divides a folder's archives, and \(name) is no folder")
      }
      return Looked(
        name: name, isTarget: false, subjects: [try named(name, vaults, configuration, console)])
    }
    let entries = all.filter { shard?.contains($0) ?? true }
    let found = try VerifySubject.all(
      of: entries, trust: try trust.trust(configuration).readable,
      demanded: try trust.demanded(configuration), takesAnySigner: trust.takesAny, in: vaults)
    return Looked(
      name: name, isTarget: true, subjects: found.subjects, entries: all, gaps: found.gaps.sentences,
      removed: entries.filter { $0.state == .removed }.map(\.path), left: all.count - entries.count)
  }

  /// A file that is unreadable as an archive still gets a verdict.
  private func named(
    _ name: String, _ vaults: VerifiedVaults?, _ configuration: Configuration, _ console: Console
  ) throws -> VerifySubject {
    let targets = targets.targets(configuration)
    do {
      let found = try FoundArchive(name, in: targets, trust, configuration, console)
      var trusted = try found.trusted
      if let vaults { trusted = vaults.signers(of: found.stored, demanded: trusted) }
      return VerifySubject(named: found.path, ownership: found.ownership, trusted: trusted)
    } catch let error where error is ArchiveError || error is SystemError {
      let path = try ArchiveFinder(targets: targets).path(of: name)
      return VerifySubject(named: path, ownership: nil, trusted: try trust.demanded(configuration))
    }
  }

  /// Returns the contents of a target; nil if the name is no target's.
  private func entries(of name: String, _ listings: TargetListings) throws -> [TargetEntry]? {
    do {
      return try listings.list(Target(path: name))
    } catch TargetError.noTarget {
      return nil
    }
  }

  /// Returns the folder for trying recovery files; nil if none are near the archives.
  func parityFolder(_ configuration: Configuration) -> ParityFolder? {
    let folders =
      archives.map { (try? Directory.open($0)) != nil ? $0 : Target(holding: $0).path }
      + targets.targets(configuration).filter { $0.kind != .rclone }.map(\.path)
    guard folders.contains(where: Parity.isAny) else { return nil }
    return try? ParityFolder()
  }
}

/// The results of a verification in this machine's state, for `status` and for later runs.
struct VerifyRecords {
  /// This machine's state; nil if it has none.
  let state: StateDirectory?
  let depth: VerificationDepth
  let trust: Trust
  /// When the run started: microseconds since 1970.
  let start: Int64
  /// The targets, and the named archives.
  let looked: [VerifyCommand.Looked]
  let listings: TargetListings
  let console: Console

  /// Records which archives are damaged, and which are intact again.
  func keepDamage(_ results: [VerificationResult], isInterrupted: Bool = false) throws {
    guard depth != .structure, let state else { return }
    // Standard input is no place in a target.
    let results = results.filter { $0.path != StandardInputArchive.path }
    var recording = DamageRecording(in: state, trust: trust, start: start, now: SystemClock.now)
    for target in looked where target.isTarget {
      recording.add(target.entries, of: Target(path: target.name))
    }
    recording.addTargets(of: results) { try? listings.list($0) }
    let copies = isInterrupted ? [] : try recording.readCopies(of: results)
    guard try !recording.record(results + copies, isInterrupted: isInterrupted) else { return }
    console.warning(
      "this machine's record of damaged archives was damaged, and is made again from this run: "
        + "verify the other targets, too")
  }

  /// Records the results of an interrupted run.
  ///
  /// - Parameters:
  ///   - ended: the results so far. A later one of the same path counts.
  ///   - subjects: the archives to verify.
  ///   - run: the interrupted one.
  /// - Returns: the failure, with the numbers.
  func keep(_ ended: [VerificationResult], of subjects: [VerifySubject], _ run: VerifyRun) -> Failure {
    let read = Array(Dictionary(ended.map { ($0.path, $0) }) { $1 }.values)
    var isRecorded = state != nil && depth != .structure
    do {
      try keepDamage(read, isInterrupted: true)
    } catch {
      isRecorded = false
      warn(of: error)
    }
    run.remember(read, of: [])
    return .interrupted(verified: read.count, of: subjects.count, recorded: isRecorded)
  }

  /// Warns that damage is not recorded.
  func warn(of error: any Error) {
    let reason = Failure(describing: error).message
    console.warning("damaged archives cannot be recorded, so status cannot report them: \(reason)")
  }
}

/// One of several parts of folders' archives, so that several machines verify a bucket together: `3/16`.
///
/// All archives of a vault are in the same part, where their order, forks and bases are checked. Which part that is
/// depends on the vault's id alone.
struct ShardArgument: ExpressibleByArgument, CustomStringConvertible {
  private static let most = 100_000
  private let number: UInt64
  private let count: UInt64

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt64(parts[0]), let count = UInt64(parts[1]),
      number >= 1, number <= count, count <= Self.most
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  var description: String { "\(number)/\(count)" }

  func contains(_ vault: VaultID) -> Bool { contains(vault.hex) }

  /// Whether the entry is in this part; a file that has no readable header goes by its name.
  func contains(_ entry: TargetEntry) -> Bool {
    entry.archive.map { contains($0.facts.vaultID) } ?? contains(entry.name)
  }

  private func contains(_ text: String) -> Bool {
    let start = SHA256.hash(Array(text.utf8)).hex.prefix(16)
    return (UInt64(start, radix: 16) ?? 0) % count == number - 1
  }
}

/// An archive on standard input, which `-` stands for: a file that the shell opened.
enum StandardInputArchive {
  static let name = "-"
  static let path = "/proc/self/fd/0"

  /// The path that `-` means; any other name is returned as it is.
  ///
  /// - Throws: a ``Failure`` if standard input is a pipe or a terminal: an archive is read from its end first.
  static func path(of name: String) throws -> String {
    guard name == Self.name else { return name }
    guard let status = try? FileStatus.of(path), status.kind == .file else {
      throw Failure(
        .usage, "standard input is not a file, and an archive is read from its end first",
        meaning: "nothing was verified",
        hint: "verify - < FILE, or write it to a file first and name that")
    }
    return path
  }

  /// Returns a path for display, with standard input as given by the user.
  static func shown(_ path: String) -> String { path == Self.path ? name : path }
}
