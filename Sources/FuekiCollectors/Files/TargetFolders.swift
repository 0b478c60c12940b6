internal import FuekiBackup
internal import FuekiSystem

/// The targets' directories, for walks that may encounter them in a source.
///
/// An archive that included earlier ones would double in size every night. Other files in a target's
/// directory are included.
struct TargetFolders {
  private let folders: [FileStatus]

  /// The targets' folders that are there.
  init(_ targets: [Target]) {
    folders = targets.filter { $0.kind != .rclone }.compactMap { try? Directory.open($0.path).status() }
  }

  /// Starts excluding the archives of a directory.
  func archives(in folder: borrowing Directory) -> LeftOutArchives {
    guard !folders.isEmpty, let status = try? folder.status() else { return LeftOutArchives(isTarget: false) }
    return LeftOutArchives(
      isTarget: folders.contains { $0.device == status.device && $0.inode == status.inode })
  }
}

/// The archives excluded from one directory of a source.
struct LeftOutArchives {
  let isTarget: Bool
  private var count = 0

  init(isTarget: Bool) { self.isTarget = isTarget }

  /// Whether a file is excluded by its name.
  mutating func leavesOut(_ name: String?) -> Bool {
    guard isTarget, let name, Target.isOwnFile(named: name) else { return false }
    count += 1
    return true
  }

  /// Reports the excluded archives once.
  ///
  /// They do not count as missing.
  func report(in folder: String, _ records: inout ImportedRecords) {
    guard count > 0 else { return }
    let files = count == 1 ? "1 file of archives is" : "\(count) files of archives are"
    records.exclude(
      folder.isEmpty ? "archives" : folder,
      "this folder is a target inside the source: \(files) left out, because an archive holds no earlier ones",
      loss: .none)
  }
}
