internal import FuekiSystem
public import FuekiArchive
public import FuekiWallet

/// A user's request for the contents of a backup.
public struct CollectionRequest: Sendable {
  /// The requested sections.
  public var selection: SectionSelection
  /// Whether private keys, seed phrases and files with secrets in the clear leave.
  public var includesPrivateKeys: Bool
  /// The condition that would include them, for the sentence "it leaves …".
  public var condition = "only with --include-private-keys"
  /// Whether the user excluded secrets, so that they do not count as missing.
  public var secretsAreUnwanted = false
  /// Whether a backup is made, not an import: it keeps files that do not open, and assesses the backup of each wallet.
  public var isForBackup = false
  /// Which files changed while they were read.
  public var changes = SourceChanges()
  /// Folders of archives, which no source brings into the next archive.
  public var targets: [Target] = []
  /// Meters the work that the source's files ask for; each source gets a budget of its own.
  public var work = WorkBudget()

  /// Everything but private keys, unless told otherwise.
  public init(selection: SectionSelection = .everything, includesPrivateKeys: Bool = false) {
    self.selection = selection
    self.includesPrivateKeys = includesPrivateKeys
  }
}

/// The sources of a run, and the configured ones that it leaves out.
public struct RunSources: Sendable {
  /// The configured sources that this run leaves out because the user listed others for this run alone, in the form of
  /// `--from`.
  ///
  /// Their contents are not lost: the run does not look for them.
  public var leftOut: [String] = []

  /// No source is left out.
  public init() {}
}

/// The request that makes a backup comparable with an archive.
///
/// Secrets leave only on request, and perhaps of some sources only, so each source gets the same request as for the
/// archive.
public struct ArchivedRequest: Sendable {
  /// The sections to compare.
  private let selection: SectionSelection
  /// The reports of the archive's sources, by their names.
  private let reports: [ExactText: SourceReport]
  /// Whether the archive has secrets of any source that leave only on request.
  private let holdsSecrets: Bool

  /// Reads the reports of an archive's sources.
  ///
  /// - Throws: as ``UnlockedArchive/decodedManifest()``.
  public init(of archive: OpenArchive, _ selection: SectionSelection) throws {
    self.selection = selection
    let sources = try archive.decodedManifest()?.manifest.sources ?? []
    reports = Dictionary(sources.map { (ExactText($0.name), $0) }) { $1 }
    holdsSecrets = archive.sections.contains { Section(rawValue: $0.id)?.leavesOnRequest ?? false }
  }

  /// The request for everything that the archive has, whatever source it is from.
  public var whole: CollectionRequest {
    CollectionRequest(selection: selection, includesPrivateKeys: holdsSecrets)
  }

  /// The request for one source.
  public func request(of source: any Collector) -> CollectionRequest {
    var request = whole
    guard let report = reports[ExactText(source.name)] else { return request }
    let gave = Section.allCases.contains { $0.leavesOnRequest && report.records(in: $0) > 0 }
    request.includesPrivateKeys = gave || holdsSecrets && !source.isStore && report.complete
    return request
  }
}

extension Section {
  /// Whether records of the section leave only with `--include-private-keys`, or because their wallet is a source.
  package var leavesOnRequest: Bool { DataClass(section: self)?.bundling == .onlyOnRequest }
}

/// An error that stops the collection of a backup's contents.
public enum CollectError: Error, Equatable, Sendable {
  /// A key share's id has not 16 bytes.
  case shareID(name: String)
  /// The id of a record of this section is not a packed text.
  case recordID(section: String)
  /// The keychain does not open.
  case keychain(KeychainProblem)
  /// The source kept changing while it was collected.
  case sourceKeepsChanging(name: String)
  /// With this source an archive would hold more than ``BackupLimits`` allows.
  case tooMuch(Amount)

  /// The things that ``BackupLimits`` limits.
  public enum Amount: Hashable, Sendable {
    case files
    case secrets
    case secretBytes
  }

  /// Why a keychain does not open.
  public enum KeychainProblem: Hashable, Sendable {
    case missingSecret
    case wrongSecret
    case damaged
    case newer
    case notThere
  }
}
