package import FuekiArchive
package import FuekiSystem

/// The vaults whose newest archive is older than a limit, or dated in the future.
package struct LateVaults: Sendable {
  /// A late vault.
  package struct Vault: Sendable {
    package let id: VaultID
    /// The label in the name of its newest archive's file.
    package let label: ExactText?
    package let age: StatusProblem.Age
  }

  /// By label, then by id.
  package let vaults: [Vault]

  /// - Parameters:
  ///   - archives: the headers of the archives that count, and the names of their files.
  ///   - limit: the most seconds that the newest archive of a vault may be old.
  ///   - now: seconds since 1970.
  package init(_ archives: [(facts: HeaderFacts, name: String)], limit: Double, now: Int64) {
    vaults = Dictionary(grouping: archives, by: \.facts.vaultID).compactMap { id, archives -> Vault? in
      guard let newest = archives.max(by: { $0.facts.sequence < $1.facts.sequence }),
        let age = StatusProblem.Age(of: Int64(clamping: newest.facts.created), over: limit, now)
      else { return nil }
      return Vault(id: id, label: ArchiveName.label(inName: newest.name), age: age)
    }.sorted { ($0.label ?? "", $0.id) < ($1.label ?? "", $1.id) }
  }
}
