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
