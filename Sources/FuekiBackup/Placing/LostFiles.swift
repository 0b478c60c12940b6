public import FuekiArchive
internal import FuekiSystem
public import FuekiWallet

/// Files of other programs of which a damaged archive has not one part left, so that nothing in their section names
/// them.
public struct LostFiles: Sendable, Equatable {
  private static let sections = [Section.files, .secretFiles]

  /// How many records they were: at least one for each.
  public let recordCount: UInt64
  /// The wallets of the manifest of which no file came back, as kind and name: each may be one of them.
  public let candidates: [String]

  /// Reads again which files are left; nil if no file was lost this way.
  ///
  /// - Parameters:
  ///   - archive: the remaining contents.
  ///   - losses: the lost contents.
  ///   - manifest: the archive's manifest, or an empty one if it is lost too.
  /// - Throws: errors from reading.
  public init?(_ archive: some UnlockedArchive, _ losses: Losses, _ manifest: Manifest) throws {
    let lost = losses.sections.filter { loss in Self.sections.contains { $0.rawValue == loss.section } }
    guard !lost.isEmpty else { return nil }
    let left = try archive.originalFiles().survey
    let count = lost.reduce(UInt64(0)) { sum, loss in
      let named = Section(rawValue: loss.section).map(left.missingParts) ?? 0
      return sum + (loss.lostRecords > named ? loss.lostRecords - named : 0)
    }
    guard count > 0 else { return nil }
    recordCount = count
    var names: Set<ExactText> = []
    for file in left.files {
      // Findings are called by a file's name, by its path below the source, or by the source's folder.
      let path = String(decoding: file.path, as: UTF8.self)
      let place = String(decoding: file.place ?? [], as: UTF8.self)
      for name in [path[...]] + "\(place)/\(path)".split(separator: "/") {
        names.insert(ExactText("\(file.source) \(name)"))
      }
    }
    let kinds = Self.kinds(manifest)
    candidates = manifest.findings.filter { kinds.contains($0.kind) }.map { "\($0.kind) \($0.name)" }
      .filter { names.insert(ExactText($0)).inserted }
  }

  /// The kinds of the sources that gave files.
  private static func kinds(_ manifest: Manifest) -> Set<String> {
    let sources = manifest.sources.filter { source in
      source.included.contains { included in
        included.records > 0 && sections.contains { UInt32($0.rawValue) == included.section }
      }
    }
    return Set(sources.compactMap { $0.name.split(separator: ":").first.map(String.init) })
  }
}
