internal import FuekiSystem
public import FuekiArchive
public import FuekiWallet

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
