internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

// The archives that `verify` verifies: those of folders, and those that the user named.

extension VerifyCommand {
  /// An archive, or the contents of a target.
  struct Looked {
    let name: String
    let isTarget: Bool
    let subjects: [VerifySubject]
    /// The target's contents, of all parts.
    var entries: [TargetEntry] = []
    /// Sentences about a target's archives that do not fit together.
    var gaps: [String] = []
    /// The paths of archives that were removed while the target was read.
    var removed: [String] = []
    /// The number of archives in other parts.
    var left = 0
  }

  /// Returns the paths that can be listed or are archives, and adds all of their archives to a list's vaults.
  ///
  /// Which signers an archive needs depends on the others.
  func listed(
    _ listings: TargetListings, _ expectation: inout ExpectedVerification?, _ configuration: Configuration
  ) throws -> [String] {
    guard var found = expectation else { return archives }
    let hasTargets = found.hasTargets
    var folders: [(Target, [TargetEntry])] = []
    var named: [(StoredArchive, path: String)] = []
    let finder = ArchiveFinder(targets: targets.targets(configuration))
    let names = try found.readable(archives) { name in
      let target = Target(path: name)
      if let entries = try hasTargets ? listings.list(target) : entries(of: name, listings) {
        folders.append((target, entries))
      } else if let path = try? finder.path(of: name), let archive = try? StoredArchive(at: path) {
        named.append((archive, path))
      }
      return [name]
    }
    for (target, entries) in folders {
      found.vaults.add(entries.filter { shard?.contains($0) ?? true }, of: target)
    }
    for (archive, path) in named { found.vaults.add(archive, at: path) }
    expectation = found
    return names
  }

  func look(
    at name: String, _ listings: TargetListings, _ vaults: VerifiedVaults?,
    _ configuration: Configuration, _ console: Console
  ) throws -> Looked {
    guard let all = try entries(of: name, listings) else {
      if shard != nil {
        throw CommandError.usage("--shard divides a folder's archives, and \(name) is no folder")
      }
      return Looked(
        name: name, isTarget: false, subjects: [try named(name, vaults, configuration, console)])
    }
    let entries = all.filter { shard?.contains($0) ?? true }
    let found = try VerifySubject.all(
      of: entries, trust: try trust.trust(configuration).readable,
      demanded: try trust.demanded(configuration), takesAnySigner: trust.takesAny, in: vaults)
    return Looked(
      name: name, isTarget: true, subjects: found.subjects, entries: all, gaps: found.gaps.sentences,
      removed: entries.filter { $0.state == .removed }.map(\.path), left: all.count - entries.count)
  }

  /// A file that is unreadable as an archive still gets a verdict.
  private func named(
    _ name: String, _ vaults: VerifiedVaults?, _ configuration: Configuration, _ console: Console
  ) throws -> VerifySubject {
    let targets = targets.targets(configuration)
    do {
      let found = try FoundArchive(name, in: targets, trust, configuration, console)
      var trusted = try found.trusted
      if let vaults { trusted = vaults.signers(of: found.stored, demanded: trusted) }
      return VerifySubject(named: found.path, ownership: found.ownership, trusted: trusted)
    } catch let error where error is ArchiveError || error is SystemError {
      let path = try ArchiveFinder(targets: targets).path(of: name)
      return VerifySubject(named: path, ownership: nil, trusted: try trust.demanded(configuration))
    }
  }

  /// Returns the contents of a target; nil if the name is no target's.
  private func entries(of name: String, _ listings: TargetListings) throws -> [TargetEntry]? {
    do {
      return try listings.list(Target(path: name))
    } catch TargetError.noTarget {
      return nil
    }
  }

  /// Returns the folder for trying recovery files; nil if none are near the archives.
  func parityFolder(_ configuration: Configuration) -> ParityFolder? {
    let folders =
      archives.map { (try? Directory.open($0)) != nil ? $0 : Target(holding: $0).path }
      + targets.targets(configuration).filter { $0.kind != .rclone }.map(\.path)
    guard folders.contains(where: Parity.isAny) else { return nil }
    return try? ParityFolder()
  }
}
