package import FuekiArchive
package import FuekiCrypto
package import FuekiSystem

/// The knowledge of a vault's newest archive that counts.
package enum NewestStanding: String, Sendable {
  /// It is whole.
  case whole
  /// No whole archive is there.
  case noneWhole = "none-whole"
  /// The target, or a file that may be its newest archive, cannot be read.
  case unknown
  /// Another key than the list's signed the archives that are there.
  case otherSigner = "other-signer"
  /// The archives that are there have no signature that holds.
  case unsigned
}

/// The list of the vaults that should be backed up.
package struct ExpectedVaults: Sendable {
  /// The list's judgement on one vault.
  package struct Verdict: Sendable {
    /// The requirements; nil for a vault that is not in the list.
    package let expected: ExpectedVault?
    package let vault: VaultID
    package let label: ExactText?
    /// The newest archive that counts.
    package let newest: SightedArchive?
    /// By urgency; empty if all is well.
    package let problems: [ExpectedProblem]

    /// The knowledge of the newest archive that counts.
    package var standing: NewestStanding {
      guard newest == nil else { return .whole }
      for problem in problems {
        switch problem {
        case .unreachable, .unread, .unreadFile: return .unknown
        case .unsigned(_, let signer): return signer == nil ? .unsigned : .otherSigner
        default: continue
        }
      }
      return .noneWhole
    }

    /// One word for all of it: that of the most urgent problem.
    package var word: String { problems.first?.word ?? "ok" }
  }

  package let vaults: [ExpectedVault]
  /// When the list was signed, in seconds since 1970; nil if the signature was not checked, or does not say.
  package var signed: UInt64?

  package init(_ vaults: [ExpectedVault]) { self.vaults = vaults }

  /// Judges each vault of the list, and finds vaults that are in a target but not in the list.
  ///
  /// - Parameters:
  ///   - archives: the archives of all targets.
  ///   - unreachable: the places of targets that cannot be read, each with the reason in a sentence.
  ///   - unread: files that cannot be read, of unknown vaults.
  ///   - drills: when the last drill of each vault went well, in seconds since 1970, as far as this machine knows.
  ///   - now: seconds since 1970.
  /// - Returns: the verdicts, the most urgent first, then by label.
  package func judge(
    _ archives: [SightedArchive], unreachable: [ExactText: String] = [:], unread: [UnreadFile] = [],
    drills: [VaultID: Int64] = [:], now: Int64
  ) -> [Verdict] {
    let found = Dictionary(grouping: archives, by: \.vault)
    var verdicts = vaults.map { expected in
      let (newest, problems) = expected.judge(
        found[expected.id] ?? [], unreachable: unreachable, unread: unread, drill: drills[expected.id],
        now: now)
      return Verdict(
        expected: expected, vault: expected.id, label: expected.label ?? newest?.label, newest: newest,
        problems: problems)
    }
    let listed = Set(vaults.map(\.id))
    for (vault, archives) in found where !listed.contains(vault) {
      let newest = archives.filter(\.isWhole).max { $0.sequence < $1.sequence }
      let label = newest?.label ?? archives.lazy.compactMap(\.label).first
      verdicts.append(
        Verdict(
          expected: nil, vault: vault, label: label, newest: newest,
          problems: [.foreign] + [archives.fault(after: newest)].compactMap(\.self)))
    }
    let last = ExpectedProblem.words.count
    return verdicts.sorted { a, b in
      (a.problems.first?.rank ?? last, a.label ?? "", a.vault)
        < (b.problems.first?.rank ?? last, b.label ?? "", b.vault)
    }
  }

  /// Makes a list of the vaults that are in targets now.
  ///
  /// A vault in several targets gets one entry, with the target of its newest archive. Its signers are those that are
  /// trusted, and only their archives count. Where none is trusted, the one that signed all its archives counts; an archive
  /// whose signature does not hold adds no signer.
  ///
  /// - Parameters:
  ///   - archives: the archives of all targets.
  ///   - maxAge: the most seconds since the newest archive of each.
  ///   - trusted: returns the signers that this machine trusts for a vault; empty for an unknown vault.
  package init(
    of archives: [SightedArchive], maxAge: Double?,
    trusting trusted: (VaultID) -> Set<Ed25519.PublicKey> = { _ in [] }
  ) {
    let found = Dictionary(grouping: archives.filter(\.isWhole), by: \.vault)
    vaults = found.compactMap { vault, archives -> ExpectedVault? in
      let known = trusted(vault)
      let own = archives.filter { $0.signer.map(known.contains) ?? false }
      guard
        let newest = (own.isEmpty ? archives : own)
          .max(by: { ($0.sequence, $1.target) < ($1.sequence, $0.target) })
      else { return nil }
      var expected = ExpectedVault(vault)
      expected.label = newest.label
      let signers = Set(archives.compactMap(\.signer))
      expected.signers = !known.isEmpty ? known : signers.count == 1 ? signers : []
      let others = signers.subtracting(expected.signers)
      expected.otherSigners = Dictionary(
        archives.compactMap { archive in
          archive.signer.flatMap { others.contains($0) ? ($0, archive.sequence) : nil }
        }, uniquingKeysWith: max)
      expected.maxAge = maxAge
      expected.target = newest.target
      expected.recipients = newest.recipientSlots > 0 ? newest.recipientSlots : nil
      return expected
    }.sorted { ($0.label ?? "", $0.id) < ($1.label ?? "", $1.id) }
  }
}

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

// The dates of signed lists of expected vaults, so that an older one is not taken for the newest.

extension StateDirectory {
  private static let lists = "lists"

  /// When the newest list at a path was signed by a key, in seconds since 1970, as this machine has seen it.
  ///
  /// - Throws: `SystemError` if the state cannot be read.
  package func listDate(of signer: Ed25519.PublicKey, at path: ExactText) throws -> UInt64? {
    try dates()[Self.name(signer, path)]
  }

  /// Remembers the date of a list.
  ///
  /// - Throws: `SystemError` if the state cannot be read or written.
  package func keep(listDate time: UInt64, of signer: Ed25519.PublicKey, at path: ExactText) throws {
    try Directory.makePrivateDirectories(self.path)
    var dates = try dates()
    dates[Self.name(signer, path)] = time
    let lines = dates.map { "\($0.value) \($0.key)\n" }.sorted()
    try write([UInt8](lines.joined().utf8), as: Self.lists)
  }

  private static func name(_ signer: Ed25519.PublicKey, _ path: ExactText) -> String {
    // A path may have a line end in it.
    "\(signer.hex) \(Hex.encode([UInt8](path.text.utf8)))"
  }

  private func dates() throws -> [String: UInt64] {
    guard let bytes = try read(Self.lists) else { return [:] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        let words = line.split(separator: " ", maxSplits: 1)
        return words.count == 2 ? UInt64(words[0]).map { (String(words[1]), $0) } : nil
      }, uniquingKeysWith: max)
  }
}
