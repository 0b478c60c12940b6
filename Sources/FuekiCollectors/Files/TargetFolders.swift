internal import FuekiBackup
internal import FuekiSystem

/// The folders that archives are written to, for walks that may meet them in a source.
///
/// An archive that held the earlier ones would be twice as large each night. Other files in a target's folder are taken.
struct TargetFolders {
  private let folders: [FileStatus]

  /// The targets' folders that are there.
  init(_ targets: [Target]) {
    folders = targets.filter { $0.kind != .rclone }.compactMap { try? Directory.open($0.path).status() }
  }

  /// Begins to leave out the archives of a folder.
  func archives(in folder: borrowing Directory) -> LeftOutArchives {
    guard !folders.isEmpty, let status = try? folder.status() else { return LeftOutArchives(isTarget: false) }
    return LeftOutArchives(
      isTarget: folders.contains { $0.device == status.device && $0.inode == status.inode })
  }
}

/// The archives that are left out of one folder of a source.
struct LeftOutArchives {
  let isTarget: Bool
  private var count = 0

  init(isTarget: Bool) { self.isTarget = isTarget }

  /// Returns whether a file is left out because of its name.
  mutating func leavesOut(_ name: String?) -> Bool {
    guard isTarget, let name, Target.isOwnFile(named: name) else { return false }
    count += 1
    return true
  }

  /// Reports once what was left out; nothing is missing because of it.
  func report(in folder: String, _ records: inout ImportedRecords) {
    guard count > 0 else { return }
    let files = count == 1 ? "1 file of archives is" : "\(count) files of archives are"
    records.exclude(
      folder.isEmpty ? "archives" : folder,
      "this folder is a target inside the source: \(files) left out, because an archive holds no earlier ones",
      loss: .none)
  }
}
