internal import FuekiArchive
internal import FuekiSystem

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
