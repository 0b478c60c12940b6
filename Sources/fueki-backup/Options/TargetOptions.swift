internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// The targets of archives.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .withLetter(.target),
    help: ArgumentHelp(
      "A folder with archives, or rclone:REMOTE:PATH. May be repeated.", valueName: "target"),
    completion: .directory)
  var target: [String] = []

  /// The options of a command that names one target.
  static func only(_ path: String) -> TargetOptions {
    var given = TargetOptions()
    given.target = [path]
    return given
  }

  /// Returns the given targets, else the configured ones.
  ///
  /// A target in both has its configured kind.
  func targets(_ configuration: Configuration) -> [Target] {
    guard !target.isEmpty else { return configuration.chosenTargets }
    return target.map { path in
      let given = Target(path: path)
      let declared = configuration.targets.map(\.target).first { $0.place == given.place }
      var target = declared.map { Target(path: path, kind: $0.kind) } ?? given
      target.isDeclaredAppendOnly = configuration.isAppendOnly(given)
      return target
    }
  }

  /// Returns the given targets, else those in a list of expected vaults, else the configured ones.
  func targets(_ list: ExpectedVaults?, _ configuration: Configuration) -> [Target] {
    let found = (list?.vaults ?? []).compactMap { vault in
      vault.target.map { ($0, vault.targetPath.map(ExactText.init(_:)) ?? $0) }
    }
    let listed = Dictionary(found) { first, _ in first }.values.sorted().map(\.text)
    guard target.isEmpty, !listed.isEmpty else { return targets(configuration) }
    var options = self
    options.target = listed
    return options.targets(configuration)
  }
}

/// Whether the folders of a target are searched, too.
struct RecursiveOptions: ParsableArguments {
  @Flag(help: "Search the folders below each target, too.")
  var recursive = false

  /// Lists the targets, or the folders with archives among them and below them.
  ///
  /// A target that cannot be searched stays, with its fault. A warning lists folders that were not searched.
  func listings(
    of targets: [Target], past: [Activity] = [], _ console: Console
  ) throws -> [TargetListing] {
    guard recursive else { return targets.map { TargetListing(of: $0, past: past) } }
    var found: [TargetListing] = []
    var places: Set<ExactText> = []
    for target in targets {
      let listings: [TargetListing]
      do {
        listings = try search(target, console).listings(past: past)
      } catch  where Interrupted.isCause(of: error) {
        throw error
      } catch {
        listings = [TargetListing(target, entries: .failure(error))]
      }
      found += listings.filter { places.insert($0.target.place).inserted }
    }
    return found
  }

  /// Returns the names, with the folders that have archives in place of each folder that is searched.
  ///
  /// A remote's archives are read at once.
  ///
  /// - Throws: the reason that a target cannot be listed.
  func names(of names: [String], _ listings: TargetListings, _ console: Console) throws -> [String] {
    try names.flatMap { name in
      let target = Target(path: name)
      guard target.kind == .rclone || (try? Directory.open(name)) != nil else { return [name] }
      do {
        let found = try search(target, console)
        if target.kind == .rclone { try listings.list(found) }
        return found.targets.map(\.path)
      } catch TargetError.noTarget {
        return [name]
      }
    }
  }

  private func search(_ target: Target, _ console: Console) throws -> ArchiveFolders {
    let found = try ArchiveFolders(below: target)
    for path in found.unsearched {
      console.warning("\(path) was not searched: it is too deep, or its name is not UTF-8")
    }
    return found
  }

  /// Returns the advice to search the folders below targets without archives; empty if they have none either.
  static func hint(_ targets: [Target]) -> String {
    targets.contains(where: \.hasFoldersWithArchives)
      ? " Its folders have archives: use --recursive, or name them." : ""
  }
}

extension ArgumentHelp {
  /// The limit on the age of each vault's newest archive.
  static var maxAgeOfVaults: ArgumentHelp {
    ArgumentHelp(
      "Fail if the newest archive of a vault is older than this: 26h, 2d.", valueName: "duration",
      visibility: .more)
  }
}
