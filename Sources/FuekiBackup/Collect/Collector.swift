public import FuekiWallet

/// A source of wallet data: the store, a folder of keystores, key share files.
public protocol Collector {
  /// The source as reports name it, such as "store" or "keystore:DIR".
  var name: String { get }
  /// Whether this is the wallet's own store, which after a restore also has copies of other programs' files.
  var isStore: Bool { get }

  /// Adds the requested contents of the source, and one report of its contents, exclusions and their reasons.
  ///
  /// - Throws: any error that makes the backup incomplete and cannot appear in the report, such as a locked keychain.
  func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws
}

extension Collector {
  /// False: the source is another program's.
  public var isStore: Bool { false }
}

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

extension SourceReport {
  /// The report of a source that lacks something.
  ///
  /// - Parameters:
  ///   - source: the source's name.
  ///   - reason: one sentence.
  ///   - what: the missing thing; by default everything at the source's path.
  /// - Returns: a report that is not complete and has no records.
  public static func failed(_ source: String, _ reason: String, of what: String? = nil) -> SourceReport {
    var exclusion = Exclusion()
    // A source has the form "kind:PATH". Search bytes, because a path can begin with a mark that combines with the
    // colon.
    let path = source.utf8.firstIndex(of: UInt8(ascii: ":")).map { source[source.utf8.index(after: $0)...] }
    exclusion.what = what ?? path.map(String.init) ?? source
    exclusion.reason = reason
    var report = SourceReport(source: source)
    report.excluded = [exclusion]
    report.complete = false
    return report
  }
}
