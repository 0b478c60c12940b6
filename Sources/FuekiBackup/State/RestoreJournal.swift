internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// How far a restore into one data directory has come: what `--resume` goes on from.
///
/// It holds no secret.
public struct RestoreJournal: Codable, Equatable, Sendable {
  /// What became of the secrets, by section.
  public struct Secrets: Codable, Equatable, Sendable {
    struct Conflict: Codable, Equatable {
      let section: String
      let id: String
      let fields: [String]
      let resolution: String
    }

    /// Of each section how many were new, equal and different.
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

    /// What became of them.
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

  /// How files of other programs are put back once everything else is in place.
  public struct Placing: Codable, Equatable, Sendable {
    /// The folder below which they go, from the root; nil for this person's home.
    public let folder: String?
    /// What becomes of files that are there and differ.
    public let policy: String
    /// Whether folders that are links are gone into.
    public let followsLinks: Bool
    /// Whether files are put back although their programs run.
    public let ignoresRunning: Bool

    /// Takes down a request.
    public init(_ request: PlacingRequest) {
      switch request.root {
      case .home: folder = nil
      case .folder(let path): folder = RestoreJournal.absolute(path)
      }
      policy = request.policy.rawValue
      followsLinks = request.followsLinks
      ignoresRunning = request.ignoresRunning
    }
  }

  /// What is being done.
  public enum Phase: String, Codable, Sendable {
    /// Stages are passed, and records put into the scratch directory.
    case staging
    /// The scratch directory is about to take the data directory's place, or has just done so.
    case swapping
    /// Everything is in place; what may be left is to ask chains, and to put files back.
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
  /// The names of the sections that are wanted.
  public var sections: [String]
  /// The ids of the wallets that are wanted; none where all are.
  public var wallets: [String]
  /// What becomes of records that are there and differ.
  public var policy: String
  /// When it began, in microseconds since 1970.
  public var began: Int64
  /// The version of the program: another one may stage otherwise.
  public var program: String
  /// Which run of the system it was: what was not waited for is not believed after the next start.
  public var boot: String
  /// The stages that are passed.
  public var stages: [String] = []
  /// The scratch directory, from the root.
  public var scratch: String?
  /// The scratch directory's inode, which stays with it under any name.
  public var inode: UInt64?
  /// What the wallet's files were when they were copied; nil where there was none.
  public var present: String?
  /// What became of the secrets; nil where the scratch directory's keychain is not written yet.
  public var secrets: Secrets?
  /// What is being done.
  public var phase = Phase.staging
  /// The name under which what was there is kept.
  public var previous: String?
  /// What was asked for, and cannot come back from this archive with this secret.
  public var notRestored: [String]?
  /// How files are put back at the end; nil where none are, or nobody has said so yet.
  public var placing: Placing?

  /// Begins a journal.
  ///
  /// - Parameters:
  ///   - dataDirectory: what is restored into.
  ///   - archive: the archive's path.
  ///   - digest: its digest.
  ///   - selection: the sections that are wanted.
  ///   - wallets: the wallets that are wanted, all where there is none.
  ///   - policy: what becomes of records that differ.
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
  /// The journal of a restore into a data directory that did not come to its end.
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

  /// Forgets the journal of a restore that has come to its end, or is begun anew.
  public func forgetRestore(of dataDirectory: String) throws {
    let name = RestoreJournal.file(of: dataDirectory)
    let folder = try Directory.open(directory.path)
    folder.removeAbandoned(of: name)
    if try folder.contains(name) { try folder.remove(name) }
  }
}
