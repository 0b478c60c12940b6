internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// How far a restore into one data directory has come: what `--resume` goes on from.
///
/// It holds no secret.
public struct RestoreJournal: Codable, Equatable, Sendable {
  /// The results for the secrets, by section.
  public struct Secrets: Codable, Equatable, Sendable {
    struct Conflict: Codable, Equatable {
      let section: String
      let id: String
      let fields: [String]
      let resolution: String
    }

    /// By section, the numbers of new, equal and different secrets.
    let counts: [String: [UInt64]]
    let conflicts: [Conflict]

    /// Takes down what became of them.
    public init(_ report: MergeReport) {
      counts = Dictionary(
        uniqueKeysWithValues: report.counts.map {
          ($0.key.name, [$0.value.added, $0.value.equal, $0.value.differing])
        })
      conflicts = report.conflicts.map {
        Conflict(section: $0.section.name, id: $0.id, fields: $0.fields, resolution: $0.resolution.rawValue)
      }
    }

    /// The results as a report.
    public var report: MergeReport {
      var report = MergeReport()
      for (name, numbers) in counts where numbers.count == 3 {
        guard let section = Section(name: name) else { continue }
        var counts = MergeCounts()
        (counts.added, counts.equal, counts.differing) = (numbers[0], numbers[1], numbers[2])
        report.counts[section] = counts
      }
      report.conflicts = conflicts.compactMap { conflict in
        guard let section = Section(name: conflict.section),
          let resolution = RestoreConflict.Resolution(rawValue: conflict.resolution)
        else { return nil }
        return RestoreConflict(
          section: section, id: conflict.id, fields: conflict.fields, resolution: resolution)
      }
      return report
    }
  }

  /// The options for restoring files of other programs once everything else is in place.
  public struct Placing: Codable, Equatable, Sendable {
    /// The folder that they go below, as an absolute path; nil for the user's home.
    public let folder: String?
    /// The handling of existing files that differ.
    public let policy: String
    /// Whether to follow symbolic links to folders.
    public let followsLinks: Bool
    /// Whether to restore files while their programs run.
    public let ignoresRunning: Bool
    /// Whether a file system without permissions is accepted; nil if not.
    public let acceptsUnprotected: Bool?
    /// Whether the user agreed to restore files that are no wallet's; nil if not.
    public let acceptsOwnFiles: Bool?

    /// Takes down a request.
    public init(_ request: PlacingRequest) {
      switch request.root {
      case .home: folder = nil
      case .folder(let path): folder = RestoreJournal.absolute(path)
      }
      policy = request.policy.rawValue
      followsLinks = request.followsLinks
      ignoresRunning = request.ignoresRunning
      acceptsOwnFiles = request.own.isAccepted ? true : nil
      acceptsUnprotected = request.unprotected.isAccepted ? true : nil
    }
  }

  /// The current phase.
  public enum Phase: String, Codable, Sendable {
    /// Stages are passed, and records put into the scratch directory.
    case staging
    /// The scratch directory is about to take the data directory's place, or has just done so.
    case swapping
    /// Everything is in place, apart from the resync and the files.
    case placed
  }

  /// The data directory, from the root.
  public var dataDirectory: String
  /// The archive's path, from the root.
  public var archive: String
  /// Its digest, in hex.
  public var digest: String
  /// The scopes that the secret opened, by name.
  public var scopes: [String] = []
  /// The names of the sections to restore.
  public var sections: [String]
  /// The ids of the wallets to restore; empty for all.
  public var wallets: [String]
  /// The handling of existing records that differ.
  public var policy: String
  /// When it began, in microseconds since 1970.
  public var began: Int64
  /// The version of the program: another one may stage otherwise.
  public var program: String
  /// The boot id of the system: unsynced data is not trusted after the next start.
  var boot: String
  /// The stages that are passed.
  public var stages: [String] = []
  /// The scratch directory, from the root.
  public var scratch: String?
  /// The scratch directory's inode, which stays with it under any name.
  public var inode: UInt64?
  /// The state of the wallet's files when they were copied; nil if there was no wallet.
  public var present: String?
  /// The results for the secrets; nil until the scratch directory's keychain is written.
  public var secrets: Secrets?
  /// The current phase.
  public var phase = Phase.staging
  /// The name under which the earlier data directory is kept.
  public var previous: String?
  /// The requested contents that this secret cannot restore from this archive.
  public var notRestored: [String]?
  /// The options for restoring files at the end; nil for none, or until decided.
  public var placing: Placing?

  /// Begins a journal.
  ///
  /// - Parameters:
  ///   - dataDirectory: the data directory to restore into.
  ///   - archive: the archive's path.
  ///   - digest: its digest.
  ///   - selection: the sections to restore.
  ///   - wallets: the wallets to restore; empty for all.
  ///   - policy: the handling of records that differ.
  ///   - program: the program's version.
  ///   - began: now, in microseconds since 1970.
  public init(
    dataDirectory: String, archive: String, digest: String, selection: SectionSelection, wallets: [String],
    policy: ConflictPolicy, program: String, began: Int64
  ) {
    self.dataDirectory = Self.absolute(dataDirectory)
    self.archive = Self.absolute(archive)
    self.digest = digest
    sections = selection.sections.sorted().map(\.name)
    self.wallets = wallets
    self.policy = policy.rawValue
    self.program = program
    self.began = began
    boot = Self.currentBoot
  }

  /// Whether something was staged that a resumed restore need not do again, and that can still be believed.
  public var isResumable: Bool {
    scratch != nil && secrets != nil && phase != .placed && !boot.isEmpty && boot == Self.currentBoot
  }

  /// A path from the root, whether or not there is anything.
  fileprivate static func absolute(_ path: String) -> String {
    var whole = path.hasPrefix("/") ? path : "\(CurrentProcess.folder ?? "")/\(path)"
    while whole.hasSuffix("/"), whole.utf8.count > 1 { whole.removeLast() }
    return whole
  }

  private static var currentBoot: String {
    let text = try? File.open("/proc/sys/kernel/random/boot_id").readAll(limit: 64)
    return String(decoding: text ?? [], as: UTF8.self).filter { !$0.isWhitespace }
  }

  fileprivate static func file(of dataDirectory: String) -> String {
    let path = absolute(dataDirectory)
    return "restore-\(SHA256.hash(Array(path.utf8)).hex.prefix(16)).json"
  }
}

extension StateDirectory {
  /// Returns the journal of an unfinished restore into a data directory.
  public func restoreJournal(of dataDirectory: String) throws -> RestoreJournal? {
    guard let bytes = try read(RestoreJournal.file(of: dataDirectory)) else { return nil }
    guard let journal = try? JSONDecoder().decode(RestoreJournal.self, from: Data(bytes)) else {
      throw StateError.damaged(path: "\(path)/\(RestoreJournal.file(of: dataDirectory))")
    }
    return journal
  }
}

extension LockedState {
  /// Keeps a restore's journal, durably.
  public func keep(_ journal: RestoreJournal) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let name = RestoreJournal.file(of: journal.dataDirectory)
    try directory.write([UInt8](try encoder.encode(journal)), as: name)
  }

  /// Removes the journal of a finished or restarted restore.
  public func forgetRestore(of dataDirectory: String) throws {
    let name = RestoreJournal.file(of: dataDirectory)
    let folder = try Directory.open(directory.path)
    folder.removeAbandoned(of: name)
    if try folder.contains(name) { try folder.remove(name) }
  }
}

/// The journal of a run that restores files, so that an interrupted run continues: its timed names stay the same.
///
/// Files already in place are found there, so nothing else is recorded.
public struct PlacingJournal: Codable, Equatable, Sendable {
  /// The archive's digest, in hex.
  public let archive: String
  /// The folder below which files go, from the root.
  public let root: String
  /// The handling of existing files that differ.
  public let policy: String
  /// When it began, as names have it.
  public let stamp: String
  /// The part of the run's temporary names behind `.fueki-`.
  public let token: String

  /// Begins a journal.
  ///
  /// - Parameters:
  ///   - archive: the archive's digest, in hex.
  ///   - root: the folder below which files go.
  ///   - policy: what becomes of files that are there and differ.
  ///   - now: in microseconds since 1970.
  public init(archive: String, root: PlaceRoot, policy: PlacingPolicy, now: Int64) {
    self.archive = archive
    self.root = CurrentProcess.absolutePath(of: root.path)
    self.policy = policy.rawValue
    let text = Timestamp(microseconds: now).text
    token = Self.newToken()
    stamp = text.prefix { $0 != "." && $0 != "Z" }.filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// A token that no other run has.
  static func newToken() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether the token can be a part of a name: 16 hex digits.
  fileprivate var hasToken: Bool {
    token.utf8.count == 16 && token.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  fileprivate var fileName: String {
    let text = "\(archive)\0\(root)\0\(policy)"
    return "placing-\(SHA256.hash(Array(text.utf8)).hex.prefix(16)).json"
  }
}

extension LockedState {
  /// Keeps a journal, durably, or finds that of a run of the same kind that was stopped.
  public func begin(_ journal: PlacingJournal) throws -> PlacingJournal {
    guard let bytes = try directory.read(journal.fileName) else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      try directory.write([UInt8](try encoder.encode(journal)), as: journal.fileName)
      return journal
    }
    guard let found = try? JSONDecoder().decode(PlacingJournal.self, from: Data(bytes)), found.hasToken
    else { throw StateError.damaged(path: "\(directory.path)/\(journal.fileName)") }
    return found
  }

  /// Removes the journal of a finished run.
  public func forget(_ journal: PlacingJournal) throws {
    let folder = try Directory.open(directory.path)
    if try folder.contains(journal.fileName) { try folder.remove(journal.fileName) }
  }
}
