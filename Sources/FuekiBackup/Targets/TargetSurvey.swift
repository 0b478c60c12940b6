internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The targets that answer, and the archives in them.
struct TargetSurvey {
  /// Folders first, because an archive is made in a folder.
  ///
  /// An archive for remotes only is made in this machine's state.
  private(set) var live: [Target] = []
  /// The targets that answer, and the archives in each.
  private(set) var found: [(target: Target, entries: [TargetEntry])] = []
  /// The targets that get nothing, and why.
  private(set) var failures: [TargetFailure] = []

  /// Lists the targets, and removes this machine's leftovers from them.
  ///
  /// - Parameters:
  ///   - targets: repeated folders, also by a link, count once.
  ///   - vaultID: the vault whose archives will be written.
  ///   - state: this machine's state.
  ///   - checksMounts: whether a folder fails if its disk is not mounted.
  /// - Throws: the first target's error if none answers.
  init(of targets: [Target], for vaultID: VaultID, _ state: LockedState, checksMounts: Bool = true) throws {
    let machine = try state.machineID()
    let made = checksMounts ? (try? state.directory.activity()) ?? [] : []
    var places: Set<ExactText> = []
    for target in targets where places.insert(target.place).inserted {
      do {
        try target.storage.removeLeftovers(of: machine)
        let entries = try target.entries().filter { $0.archive != nil }
        if !entries.contains(where: { $0.archive?.facts.vaultID == vaultID }) {
          try target.checkMount(made.filter { $0.vault == vaultID.hex })
        }
        found.append((target, entries))
        live.append(target)
      } catch  where Interrupted.isCause(of: error) {
        throw Interrupted()
      } catch {
        failures.append(TargetFailure(target, error))
      }
    }
    guard !live.isEmpty else { throw failures.first?.error ?? TargetError.noTarget(path: "") }
    live = live.filter { $0.kind != .rclone } + live.filter { $0.kind == .rclone }
  }

  /// Gives up the targets that hold a newer archive of unknown origin: the others get theirs.
  ///
  /// - Throws: ``LineageError/unknownLineage(sequence:)``, and the first target's error if none is left.
  mutating func refuseUnknown(
    of vault: VaultID, _ state: VaultState, _ ownerships: Ownerships
  ) throws {
    for (target, entries) in found {
      do throws(LineageError) {
        try VaultLineage.refuseUnknown(
          of: vault, state: state, in: entries.compactMap(\.archive), ownerships: ownerships)
      } catch {
        // A machine without knowledge of its vault must not begin it again next to existing archives.
        if case .unknownLineage = error { throw error }
        failures.append(TargetFailure(target, error))
        live.removeAll { $0 == target }
      }
    }
    let told = failures.first { $0.error is LineageError || $0.error is TargetError }
    guard live.isEmpty, let first = told ?? failures.first else { return }
    throw first.error
  }

  /// The paths of files that call themselves archives of a vault, and are a stranger's.
  func strangers(of vault: VaultID, _ ownerships: Ownerships) -> [String] {
    found.flatMap(\.entries).filter { entry in
      guard let archive = entry.archive else { return false }
      return archive.facts.vaultID == vault && ownerships[archive] == .stranger
    }.map(\.path)
  }

  /// The archives in the targets that get a new one.
  var foundInLive: [(target: Target, entries: [TargetEntry])] {
    let places = Set(live.map(\.place))
    return found.filter { places.contains($0.target.place) }
  }

  /// The files of all targets that are archives.
  var entries: [TargetEntry] { found.flatMap(\.entries) }

  /// The archives of all targets.
  var archives: [StoredArchive] { entries.compactMap(\.archive) }
}

extension Target {
  /// Refuses a folder without archives if its disk is not mounted: files written there would be on the wallet's own disk.
  ///
  /// - Parameter activities: this machine's past activities.
  /// - Throws: ``TargetError/otherFileSystem(path:)`` if this machine wrote archives to the folder, and that file
  ///   system is not mounted.
  public func checkMount(_ activities: [Activity]) throws {
    let place = place
    let last = activities.last { $0.kind == .create && $0.target == place && $0.fileSystem != nil }
    guard let before = last?.fileSystem, try fileSystem() != before else { return }
    throw TargetError.otherFileSystem(path: path)
  }
}

/// Lists targets a second time, to tell removed archives from unreadable ones.
///
/// Another machine may run `prune` while this one reads. An archive that a target has listed, and does not return, is
/// either removed or hidden by a fault.
final class SecondLook {
  private var names: [ExactText: Set<ExactText>] = [:]

  /// Lists a file's target again, unless a second listing already lacks the file.
  ///
  /// - Parameter path: the file's path.
  /// - Returns: whether the target still lists the file, or cannot be listed.
  /// - Throws: `Interrupted`.
  func finds(_ path: String) throws -> Bool {
    let target = Target(holding: path)
    let name = ExactText(path.lastPathComponent)
    if let known = names[target.place], !known.contains(name) { return false }
    do {
      let found = try target.storage.names()
      names[target.place] = found
      return found.contains(name)
    } catch  where Interrupted.isCause(of: error) {
      throw Interrupted()
    } catch {
      return true
    }
  }
}

extension [TargetEntry] {
  /// Marks the files that were removed after they were listed.
  ///
  /// `prune` never removes a vault's newest archive. So a file counts as removed if a second listing lacks it, and a
  /// later archive is in the same folder. Only its name tells which archives are later. Any other file that vanishes
  /// stays unreadable.
  ///
  /// - Throws: `Interrupted`.
  mutating func markRemoved() throws {
    let vanished = indices.filter { self[$0].readError?.isNotFound ?? false }
    guard !vanished.isEmpty else { return }
    var newest: [Series: UInt64] = [:]
    for entry in self {
      guard let facts = entry.archive?.facts, let series = Series(entry) else { continue }
      newest[series] = Swift.max(newest[series] ?? 0, facts.sequence)
    }
    let look = SecondLook()
    for index in vanished {
      guard let series = Series(self[index]), let number = ArchiveClaim.sequence(inName: self[index].name),
        number < newest[series] ?? 0, try !look.finds(self[index].path)
      else { continue }
      self[index].state = .removed
    }
  }
}

/// The archives of one folder whose names begin with the same label.
private struct Series: Hashable {
  let folder: Target
  let label: ExactText

  init?(_ entry: TargetEntry) {
    guard let label = ArchiveName.label(inName: entry.name) else { return nil }
    self.label = label
    folder = Target(holding: entry.path)
  }
}

/// Archives that belong to another user, so that the system lets this one not read them: those of an old machine's disk.
public struct DeniedArchives: Equatable, Sendable {
  /// The folder that they are in.
  public let folder: String
  /// The id of the user that they belong to; nil if they belong to several.
  public let owner: UInt32?
  /// How many they are; nil if the folder itself cannot be read.
  public let count: Int?

  package init(folder: String, owner: UInt32?, count: Int?) {
    (self.folder, self.owner, self.count) = (folder, owner, count)
  }

  /// Those of a folder's files that cannot be read for lack of permission; nil if there are none.
  package init?(of entries: [TargetEntry], in target: Target) {
    let denied = entries.filter { $0.readError?.isNotPermitted ?? false }
    guard !denied.isEmpty else { return nil }
    let owners = Set(denied.map(\.owner))
    (folder, owner, count) = (
      target.path, owners.count == 1 ? owners.first.flatMap(\.self) : nil, denied.count
    )
  }

  /// The folder, if an error says that this user may not read it.
  init?(_ error: any Error, of target: Target) {
    guard let error = error as? SystemError, error.isNotPermitted, target.kind != .rclone else { return nil }
    self.init(folder: target.path, owner: (try? FileStatus.of(target.path))?.owner, count: nil)
  }
}
