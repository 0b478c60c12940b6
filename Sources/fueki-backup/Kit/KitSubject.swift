internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The archive that a recovery kit speaks of, every byte of it as it was written, and what lies around it.
struct KitSubject {
  let path: String
  let archive: IntactArchive
  /// All targets, those that are not there too.
  let targets: [Target]
  /// What the targets that are there hold of the archive's vault.
  let entries: [TargetEntry]

  var facts: HeaderFacts { archive.facts }

  /// Looks an archive up; a disk that is not plugged in is a warning.
  ///
  /// Of several vaults' archives, `latest` is the configuration's vault's.
  ///
  /// - Throws: what says that this machine knows a newer archive, or another in its place.
  init(
    _ name: String, in targets: [Target], _ configuration: Configuration, _ console: Console,
    progress: () throws -> Void
  ) throws {
    var found: [TargetEntry] = []
    var absent: (any Error)?
    var present: [Target] = []
    for target in targets {
      do {
        found += try target.entries()
        present.append(target)
      } catch {
        console.warning("\(target.path) was not looked at: \(Failure(describing: error).message)")
        absent = absent ?? error
      }
    }
    if present.isEmpty, let absent { throw absent }
    let path = try Self.path(of: name, found, present, configuration)
    let stored = try StoredArchive(at: path)
    let archive = try stored.intact { _ in try progress() }
    let known = try Places.state().vault(archive.facts.vaultID).known
    try VaultChain.judge(archive.facts, digest: archive.digest, known: known)
    self.path = path
    self.archive = archive
    self.targets = targets
    entries = found.filter { $0.archive?.facts.vaultID == archive.facts.vaultID }
  }

  private static func path(
    of name: String, _ entries: [TargetEntry], _ targets: [Target], _ configuration: Configuration
  ) throws -> String {
    guard name == "latest", let vault = configuration.meant?.id else {
      return try ArchiveFinder(targets: targets, vault: { configuration.meantVaultID }).path(of: name)
    }
    let own = entries.filter { $0.archive?.facts.vaultID == vault }
    let newest = own.max { ($0.archive?.facts.sequence ?? 0) < ($1.archive?.facts.sequence ?? 0) }
    guard let newest else { throw BackupError.noArchive(name: name) }
    return newest.path
  }

  /// The targets that hold archives of the vault.
  var holders: Set<String> { Set(entries.map { Target(holding: $0.path).path }) }
}
