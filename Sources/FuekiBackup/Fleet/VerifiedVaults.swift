package import FuekiArchive
package import FuekiCrypto
internal import FuekiSystem

/// A list of expected vaults in a verification: which keys must have signed an archive, and which vault a file is of.
package struct VerifiedVaults: Sendable {
  package let list: ExpectedVaults
  private let byID: [VaultID: ExpectedVault]
  /// The vaults of each target in the list.
  private let byTarget: [ExactText: [ExpectedVault]]
  /// The archives to verify, by path.
  private var sighted: [ExactText: SightedArchive] = [:]
  /// The files that cannot be read, of unknown vaults.
  package private(set) var unread: [UnreadFile] = []
  /// The number of the first archive of each vault that one of its signers signed.
  private var signedFrom: [VaultID: UInt64] = [:]
  /// The number and the predecessor of each archive whose digest is proven.
  private var links: [Named: (sequence: UInt64, previous: Digest)] = [:]
  /// The predecessors of archives that a vault's signers signed, each with the highest number of a successor.
  private var successors: [Named: UInt64] = [:]

  /// An archive of a vault, whose signers vouch for no other vault's archives.
  private struct Named: Hashable {
    let vault: VaultID
    let digest: Digest
  }

  package init(_ list: ExpectedVaults) {
    self.list = list
    byID = Dictionary(list.vaults.map { ($0.id, $0) }) { first, _ in first }
    byTarget = Dictionary(grouping: list.vaults.filter { $0.target != nil }) { $0.target ?? "" }
  }

  // MARK: before the verification

  /// Adds the archives of a folder.
  package mutating func add(_ entries: [TargetEntry], of target: Target) {
    for entry in entries where entry.state != .removed {
      guard let sighted = SightedArchive(entry, in: target) else {
        if let file = UnreadFile(entry, in: target) { unread.append(file) }
        continue
      }
      add(sighted, entry.archive, at: entry.path)
    }
  }

  /// Adds an archive that the user chose.
  package mutating func add(_ archive: StoredArchive, at path: String) {
    let (target, name) = (Target(holding: path), path.lastPathComponent)
    add(SightedArchive(archive, .complete, in: target, named: name), archive, at: path)
  }

  private mutating func add(_ found: SightedArchive, _ archive: StoredArchive?, at path: String) {
    sighted[ExactText(path)] = found
    guard let archive, let digest = archive.provenDigest else { return }
    let named = Named(vault: found.vault, digest: digest)
    links[named] = (found.sequence, archive.facts.previous)
    if let signers = byID[found.vault]?.signers, archive.isSigned(byOneOf: signers) {
      signedFrom[found.vault] = min(signedFrom[found.vault] ?? .max, found.sequence)
      acceptPredecessors(of: named)
    } else if isAccepted(named, numbered: found.sequence) {
      acceptPredecessors(of: named)
    }
  }

  /// Accepts an archive's predecessors as far as they are known.
  ///
  /// A predecessor whose number is not lower than its successor's is none.
  private mutating func acceptPredecessors(of archive: Named) {
    var named = archive
    while let link = links[named], link.previous != .zero {
      named = Named(vault: archive.vault, digest: link.previous)
      guard link.sequence > successors[named] ?? 0 else { return }
      successors[named] = link.sequence
      guard let before = links[named], before.sequence < link.sequence else { return }
    }
  }

  private func isAccepted(_ archive: Named, numbered sequence: UInt64) -> Bool {
    sequence < successors[archive] ?? 0
  }

  /// Returns the keys of which one must have signed an archive; nil requires none.
  ///
  /// The predecessors of an archive that a signer of the vault signed are accepted, as the vault may have had other
  /// signers then, and so are unsigned archives from before the first signed one.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - demanded: keys that are required for another reason, too.
  /// - Returns: the keys that fulfil both.
  package func signers(
    of archive: StoredArchive, demanded: Set<Ed25519.PublicKey>?
  ) -> Set<Ed25519.PublicKey>? {
    let facts = archive.facts
    guard let signers = byID[facts.vaultID]?.signers, !signers.isEmpty else { return demanded }
    if let digest = archive.provenDigest, !archive.isSigned(byOneOf: signers),
      isAccepted(Named(vault: facts.vaultID, digest: digest), numbered: facts.sequence)
    {
      return demanded
    }
    if let signer = facts.signer {
      // Other seals than the signed ones are a forgery, and not another signer's archive.
      if signers.contains(signer), archive.hasOtherSealsThanSigned { return demanded }
    } else if facts.sequence < signedFrom[facts.vaultID] ?? 0 {
      return demanded
    }
    return demanded.map(signers.intersection) ?? signers
  }

  // MARK: its results

  /// Returns the vault that a file is of, as far as its header or its folder tells.
  package func vault(of result: VerificationResult) -> VaultID? {
    result.facts?.vaultID ?? sighted[ExactText(result.path)]?.vault ?? vaultOfFolder(result.path)?.id
  }

  /// Returns the entry of the list for the vault that a file is of; nil if the list lacks it.
  package func expected(of result: VerificationResult) -> ExpectedVault? {
    vault(of: result).flatMap { byID[$0] }
  }

  /// The only vault of the list whose target is a file's folder.
  private func vaultOfFolder(_ path: String) -> ExpectedVault? {
    guard let vaults = byTarget[Target(holding: path).place], vaults.count == 1 else { return nil }
    return vaults.first
  }

  /// Returns the facts of the archives that have a result, for the list's judgement.
  ///
  /// The last result of each archive counts.
  package func judged(by results: [VerificationResult]) -> [SightedArchive] {
    let results = Dictionary(results.map { (ExactText($0.path), $0) }) { $1 }
    let damaged = Self.damaged(in: results.values)
    return sighted.sorted { $0.key < $1.key }.compactMap { path, archive in
      guard let result = results[path], var archive = judged(archive, by: result) else { return nil }
      // Its history cannot be restored from here.
      let hasDamagedBase = result.facts?.base.map { damaged.contains($0.digest) } ?? false
      let hasBase = result.missingBase == nil && !hasDamagedBase
      if archive.state == .complete, !hasBase { archive.state = .incomplete }
      return archive
    }
  }

  /// The archives of which only damaged files were read.
  private static func damaged(in results: some Sequence<VerificationResult>) -> Set<Digest> {
    var (damaged, intact): (Set<Digest>, Set<Digest>) = ([], [])
    for result in results {
      guard let digest = result.digest else { continue }
      switch result.verdict {
      case .damaged where result.error?.isOfBase != true, .forged: damaged.insert(digest)
      case .intact, .older, .forked, .wrongSecret, .baseMissing: intact.insert(digest)
      default: continue
      }
    }
    return damaged.subtracting(intact)
  }

  private func judged(_ archive: SightedArchive, by result: VerificationResult) -> SightedArchive? {
    var archive = archive
    switch result.verdict {
    // A secret is tried only after every byte was read and is intact.
    case .intact, .forked, .older, .wrongSecret: archive.state = .complete
    case .incomplete, .baseMissing: archive.state = .incomplete
    case .damaged where result.error?.isOfBase == true: archive.state = .incomplete
    case .untrusted:
      // The judgement reports another signer than the list's. For any other reason, the archive does not count.
      guard let signers = byID[archive.vault]?.signers, !signers.isEmpty,
        !(archive.signer.map(signers.contains) ?? false)
      else { return nil }
    case .unreadable, .tooNew, .overLimit: archive.state = .unreadable
    case .notAnArchive, .damaged, .forged: archive.state = .damaged
    }
    return archive
  }
}
