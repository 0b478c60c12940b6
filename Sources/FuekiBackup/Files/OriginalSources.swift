internal import FuekiCrypto
internal import FuekiSystem
public import FuekiArchive
public import FuekiWallet

extension UnlockedArchive {
  /// Hands over each part of the files that the archive keeps byte for byte, in the archive's order.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``, and what `body` throws.
  func forEachOriginalPart(_ body: (OriginalPart, Span<UInt8>) throws -> Void) throws {
    try forEachRecord(of: .files) { (part: FilePart) in
      let file = OriginalFile(part, .files)
      let content = [UInt8](part.content)
      try body(OriginalPart(key: file.key, offset: part.offset, file: file), content.span)
    }
    guard scopes.contains(.secrets) else { return }
    _ = try readSecretRecords(of: Section.secretFiles.rawValue) { message in
      guard let part = try? SecretFilePart(decoding: message) else {
        throw RecordsError.malformedRecord(section: Section.secretFiles.name)
      }
      let file = OriginalFile(part)
      try part.content.bytes.withBytes { content in
        try body(OriginalPart(key: file.key, offset: part.offset, file: file), content)
      }
    }
  }
}

/// A part of an original file, with its bytes for as long as a call takes.
struct OriginalPart {
  let key: OriginalFile.Key
  let offset: UInt64
  /// The file's facts, from its first part.
  let file: OriginalFile
}

extension OriginalFile {
  /// The text that chooses the file.
  var item: String {
    Holding.file(source: source, path: path, place: place, program: program, in: section).item
  }
}

extension [OriginalFile] {
  /// The files of an archive that texts choose, and the logs of the databases among them.
  ///
  /// - Parameter items: the things, as ``Holding/item`` has them.
  /// - Returns: the files, in the archive's order.
  func chosen(by items: Set<String>) -> [OriginalFile] {
    let own = filter { items.contains($0.item) }
    let paths = Set(own.map { $0.place ?? $0.path })
    let folders = Set(paths.compactMap(PassingFiles.ownFolder))
    // A database without its log may lack the last changes.
    return filter { file in
      items.contains(file.item)
        || PassingFiles.belongs(file.place ?? file.path, among: paths, in: folders)
    }
  }
}

/// The sources that an archive's files came from, as places below a home.
///
/// A new machine has them in no configuration, and discovery finds only those in their programs' usual places.
public struct OriginalSources: Sendable {
  private struct Folder: Hashable {
    let kind: String
    let path: [UInt8]
  }

  private static let home = Array("~".utf8)
  private static let slash = UInt8(ascii: "/")

  /// The places of the files by the kind of their source and the folder that their paths are below.
  private var folders: [Folder: Set<[UInt8]>] = [:]

  /// None yet.
  public init() {}

  /// Notes a file's place.
  ///
  /// A file elsewhere than below a home is passed over.
  public mutating func note(_ file: OriginalFile) {
    guard !file.source.isEmpty, let place = file.place, place.starts(with: Self.home + [Self.slash])
    else { return }
    let end = [Self.slash] + file.path
    guard place.count > end.count, place.suffix(end.count) == end[...] else { return }
    folders[Folder(kind: file.source, path: Array(place.dropLast(end.count))), default: []].insert(place)
  }

  /// The sources as `kind:PATH`, each path with `~` for the home.
  ///
  /// A folder counts if a source names it, or if several files are below it. A home itself never does: its files count.
  ///
  /// - Parameter manifest: names the sources.
  /// - Returns: the names in order.
  public func names(_ manifest: Manifest) -> [String] {
    let named = manifest.sources.map { Array($0.name.utf8) }
    let found = folders.flatMap { folder, places -> [[UInt8]] in
      let kind = Array("\(folder.kind):".utf8)
      let names = named.filter { $0.starts(with: kind) }
      let isFolder =
        folder.path != Self.home
        && (Self.isNamed(folder.path, names)
          || places.count > 1 && !places.allSatisfy { Self.isNamed($0, names) })
      return (isFolder ? [folder.path] : Array(places)).map { kind + $0 }
    }
    return found.map(PathText.text).sorted()
  }

  /// Whether a source names the place, below whatever home.
  private static func isNamed(_ place: [UInt8], _ names: [[UInt8]]) -> Bool {
    let end = place.dropFirst(home.count)
    return names.contains { $0.count > end.count && $0.suffix(end.count) == end }
  }
}

extension VaultState {
  /// Adds the sources of restored files, which a new machine's configuration should have.
  public mutating func add(_ sources: OriginalSources, _ manifest: Manifest) {
    let names = Set((restoredSources + sources.names(manifest)).map(ExactText.init(_:)))
    restoredSources = names.sorted().map(\.text)
  }
}

extension LockedState {
  /// Remembers the sources of the files of a plan for a home.
  ///
  /// - Throws: errors from reading the manifest and saving the state.
  public func keepSources(of plan: PlacePlan, from archive: OpenArchive) throws {
    guard let manifest = try archive.decodedManifest()?.manifest else { return }
    var sources = OriginalSources()
    for planned in plan.files { sources.note(planned.file) }
    var vault = try directory.vault(archive.facts.vaultID)
    let before = vault.restoredSources
    vault.add(sources, manifest)
    if vault.restoredSources != before { try keep(vault, of: archive.facts.vaultID) }
  }
}
