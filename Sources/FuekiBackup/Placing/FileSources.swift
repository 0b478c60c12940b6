public import FuekiArchive
internal import FuekiSystem
public import FuekiWallet

/// The sources of the kind `file` that an archive's files came from, as places below a home.
///
/// No known program has such files, so a new machine finds them only by what the archive says.
public struct FileSources: Sendable {
  private static let kind = "file"
  private static let home = Array("~".utf8)
  private static let slash = UInt8(ascii: "/")

  /// The places of the files by the folder that their paths are below.
  private var folders: [[UInt8]: Set<[UInt8]>] = [:]

  /// None yet.
  public init() {}

  /// Notes a file's place.
  ///
  /// A file elsewhere than below a home is passed over.
  public mutating func note(_ file: OriginalFile) {
    guard file.source == Self.kind, let place = file.place, place.starts(with: Self.home + [Self.slash])
    else { return }
    let end = [Self.slash] + file.path
    guard place.count > end.count, place.suffix(end.count) == end[...] else { return }
    folders[Array(place.dropLast(end.count)), default: []].insert(place)
  }

  /// The sources' paths, each with `~` for the home.
  ///
  /// A folder counts if a source names it, or if several files are below it. A home itself never does: its files count.
  ///
  /// - Parameter manifest: names the sources.
  /// - Returns: the paths in order.
  public func paths(_ manifest: Manifest) -> [String] {
    let names = manifest.sources.map(\.name).filter { $0.hasPrefix("\(Self.kind):") }.map { Array($0.utf8) }
    let found = folders.flatMap { folder, places -> [[UInt8]] in
      guard folder != Self.home else { return Array(places) }
      let isNamed = Self.isNamed(folder, names)
      let isFolder = isNamed || places.count > 1 && !places.allSatisfy { Self.isNamed($0, names) }
      return isFolder ? [folder] : Array(places)
    }
    return found.compactMap { String(validating: $0, as: UTF8.self) }.sorted()
  }

  /// Whether a source names the place, below whatever home.
  private static func isNamed(_ place: [UInt8], _ names: [[UInt8]]) -> Bool {
    let end = place.dropFirst(home.count)
    return names.contains { $0.count > end.count && $0.suffix(end.count) == end }
  }
}

extension VaultState {
  /// Adds the sources of restored files, which a new machine's configuration should have.
  public mutating func add(_ sources: FileSources, _ manifest: Manifest) {
    let paths = Set(((fileSources ?? []) + sources.paths(manifest)).map(ExactText.init(_:)))
    if !paths.isEmpty { fileSources = paths.sorted().map(\.text) }
  }
}

extension LockedState {
  /// Remembers the sources of the files of a plan for a home.
  ///
  /// - Throws: errors from reading the manifest and saving the state.
  public func keepSources(of plan: PlacePlan, from archive: OpenArchive) throws {
    guard let manifest = try archive.decodedManifest()?.manifest else { return }
    var sources = FileSources()
    for planned in plan.files { sources.note(planned.file) }
    var vault = try directory.vault(archive.facts.vaultID)
    let before = vault.fileSources
    vault.add(sources, manifest)
    if vault.fileSources != before { try keep(vault, of: archive.facts.vaultID) }
  }
}
