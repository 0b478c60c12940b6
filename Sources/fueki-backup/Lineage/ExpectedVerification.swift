internal import FuekiBackup
internal import FuekiSystem

/// The list of expected vaults in a run of `verify`.
struct ExpectedVerification {
  var vaults: VerifiedVaults
  /// The paths that the run was asked to verify.
  private let roots: [String]
  /// Whether the list has the targets, so that one of them that cannot be read is a problem of its vaults.
  let hasTargets: Bool
  /// The result of checking the list's signature.
  let signature: ListSignature?
  /// Whether the run searches the folders below the paths.
  private let isRecursive: Bool
  /// The reasons for which places cannot be read, in a sentence each.
  private(set) var unreachable: [ExactText: String] = [:]

  /// - Parameters:
  ///   - list: the list.
  ///   - signature: the result of checking its signature.
  ///   - roots: the paths that the run was asked to verify.
  ///   - hasTargets: whether they are the targets of the list, and the user gave none.
  ///   - isRecursive: whether the run searches the folders below them.
  ///   - shard: the part of the vaults that the run verifies; nil for all.
  init(
    _ list: ExpectedVaults, _ signature: ListSignature?, roots: [String], hasTargets: Bool, isRecursive: Bool,
    shard: ShardArgument?
  ) {
    self.signature = signature
    let vaults = list.vaults.filter { shard?.contains($0.id) ?? true }.map { vault in
      var vault = vault
      // Only a machine that makes drills can judge them, and verification is no drill.
      vault.maxDrillAge = nil
      return vault
    }
    self.vaults = VerifiedVaults(ExpectedVaults(vaults))
    (self.roots, self.hasTargets, self.isRecursive) = (roots, hasTargets, isRecursive)
  }

  /// Returns the results of a closure for each path, once for each place.
  ///
  /// A target of the list that cannot be read has none, and ``judge(_:in:now:)`` reports it.
  ///
  /// - Throws: the errors of the closure for other paths, and `Interrupted`.
  mutating func readable(_ paths: [String], _ read: (String) throws -> [String]) throws -> [String] {
    guard hasTargets else { return try paths.flatMap(read) }
    var places: Set<ExactText> = []
    return try paths.flatMap { path -> [String] in
      do {
        return try read(path).filter { places.insert(Target(path: $0).place).inserted }
      } catch  where Interrupted.isCause(of: error) {
        throw error
      } catch {
        unreachable[Target(path: path).place] = Failure(describing: error).message
        return []
      }
    }
  }

  /// A sentence about each target that cannot be read.
  var warnings: [String] {
    UnreadTargets.groups(unreachable, targets: vaults.list.vaults.compactMap(\.target)).map { group in
      "\(group.name) \(group.isSeveral ? "were" : "was") not verified: \(group.reason)"
    }
  }

  /// Judges the vaults by the results of the run.
  func judge(_ results: [VerificationResult], in folders: [String], now: Int64) -> ExpectedJudgement {
    let targets = ReadTargets(
      roots: roots.map { Target(path: $0) }, isRecursive: isRecursive,
      places: Set(folders.map { Target(path: $0).place }), unreachable: unreachable)
    var judgement = vaults.list.judge(
      vaults.judged(by: results), in: targets, unread: vaults.unread, now: now)
    // The list has the signers of archives that the user named.
    judgement.hasOtherUse = folders.isEmpty && results.contains { vaults.expected(of: $0) != nil }
    return judgement
  }
}
