package import FuekiArchive
package import FuekiCrypto

/// The status of a target.
package struct TargetStatus: Sendable {
  package let path: String
  package let vaults: [VaultStatus]
  package var problems: [StatusProblem]
  /// Its contents.
  package var entries: [TargetEntry] = []
  /// The archives that a nightly backup must open: the user's, and those of a vault that this machine does not know.
  package var own: [StoredArchive] = []
  /// The archives that were found damaged inside.
  package var damaged: Set<Digest> = []

  package var isWell: Bool { problems.isEmpty && vaults.allSatisfy(\.problems.isEmpty) }
  package var isComplete: Bool { vaults.allSatisfy { !$0.lacksAnything && $0.otherMachine == nil } }

  /// Returns the target with further problems of its vaults, which the caller has found.
  package func adding(_ problems: (VaultStatus) -> [StatusProblem]) -> TargetStatus {
    TargetStatus(
      path: path,
      vaults: vaults.map { vault in
        var vault = vault
        vault.problems += problems(vault)
        return vault
      }, problems: self.problems, entries: entries, own: own, damaged: damaged)
  }

  /// Returns the target with some of its vaults.
  package func keepingVaults(_ isKept: (VaultStatus) -> Bool) -> TargetStatus {
    TargetStatus(
      path: path, vaults: vaults.filter(isKept), problems: problems, entries: entries, own: own,
      damaged: damaged)
  }
}
