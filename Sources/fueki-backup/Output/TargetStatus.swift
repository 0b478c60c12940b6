internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// The status of a target.
struct TargetStatus {
  let path: String
  let vaults: [VaultStatus]
  var problems: [String]
  /// Its contents.
  var entries: [TargetEntry] = []

  var isWell: Bool { problems.isEmpty && vaults.allSatisfy(\.problems.isEmpty) }
  var isComplete: Bool { vaults.allSatisfy { $0.missing.isEmpty && $0.otherMachine == nil } }
}
