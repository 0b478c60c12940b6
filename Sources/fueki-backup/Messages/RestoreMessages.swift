internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

extension Failure {
  /// What it means that a restore could not go on.
  init(_ error: RestoreError) {
    let status = ExitStatus(error)
    let meaning = "nothing was changed"
    let beginAnew = "leave --resume out to begin anew"
    switch error {
    case .nothingStopped(let path):
      self.init(
        status, "no restore into \(path) was stopped", meaning: meaning,
        hint: "leave --resume out to begin one")
    case .anotherArchive(let path):
      self.init(
        status, "\(path) is not the archive that the restore was begun with", meaning: meaning,
        hint: beginAnew)
    case .opensOtherScopes(let scopes, let begun):
      self.init(
        status,
        "this secret opens \(scopes.joined(separator: ", "));"
          + " the restore was begun with \(begun.joined(separator: ", "))",
        meaning: meaning, hint: "give the secret that it was begun with, or " + beginAnew)
    case .stopped:
      self.init(
        status, "stopped part-way",
        meaning: "the data directory is as it was; what is staged waits beside it",
        hint: "restore --resume goes on; it asks for the archive's secret again, which is kept nowhere")
    case .noWallet(let id):
      self.init(
        status, "the archive has no wallet \(id)", meaning: "nothing was changed",
        hint: "export --only wallets lists them with their ids")
    case .conflicts(let conflicts):
      let count = conflicts.count == 1 ? "1 record is" : "\(conflicts.count) records are"
      self.init(
        status, "\(count) there already, and the archive has other ones",
        meaning: "nothing was changed",
        hint: "--on-conflict skip, newer, replace or rename says what becomes of them")
      self.conflicts = conflicts
    case .olderShares(let older): self.init(older, status)
    case .proofsDiffer(let proofs): self.init(proofs, status)
    case .hazards(let wallets): self.init(wallets, status)
    case .presentKeychainClosed:
      self.init(
        status, "the keychain of the wallet that is here does not open with this secret",
        meaning: meaning, hint: "give what opens it now with --keychain-…")
    case .newestFails(let path, let verdict, let fallback):
      self.init(
        status, "the newest archive does not verify (\(verdict.rawValue)): \(path)",
        meaning: "nothing was restored",
        hint: (fallback.map { "the newest that verifies is \($0); restore it by its path" }
          ?? "no older archive here verifies")
          + (verdict == .damaged ? "; --salvage brings back what is whole in the newest" : ""))
    case .opensOlder(let older):
      self.init(
        status, "what was given does not open the newest archive here, \(older.newest)",
        meaning:
          "it does open archive \(older.sequence) of \(LocalTime.text(older.created)), and "
          + "\(older.above == 1 ? "one stands" : "\(older.above) stand") above it, which may be a stranger's",
        hint: "restore \(older.name), if that is the archive you know")
    }
  }

  /// What it means that the destination has newer key shares.
  private init(_ older: [OlderShares], _ status: ExitStatus) {
    self.init(
      status,
      "the archive's key shares are older than those that are here: \(Self.list(older.map(\.sentence)))",
      meaning:
        "refreshed shares cannot sign with old ones, so the newer ones were kept and nothing was changed",
      hint: "take a newer archive, leave them out with --only profile,history, or insist with --accept-older")
  }

  /// What it means that keys lead to other addresses.
  private init(_ proofs: [Proof], _ status: ExitStatus) {
    let sentences = proofs.map { "\(ProofLines.name(of: $0)): \($0.sentence)" }
    self.init(
      status, "the keys are not those of the addresses: \(Self.list(sentences))",
      meaning: "what came back could not spend what lies there, so nothing was put in place",
      hint: "try an older archive; --accept-differences restores all the same")
  }

  /// What it means that dangerous wallets are not wanted.
  private init(_ wallets: [HazardousWallet], _ status: ExitStatus) {
    var hazards: [String] = []
    for hazard in wallets.flatMap(\.hazards) where !hazards.contains(hazard) { hazards.append(hazard) }
    let names = wallets.map { "\"\($0.name)\" (\($0.hazards.joined(separator: ", ")))" }
    let dangers = hazards.map { "\($0): \(WalletHazard.danger(of: $0))" }
    self.init(
      status, "dangerous when an old copy or a second one comes to life: \(Self.list(names))",
      meaning: "nothing was restored; \(dangers.joined(separator: "; "))",
      hint: "if each is stopped for good elsewhere, run again with "
        + hazards.map { "--confirm-hazard \($0)" }.joined(separator: " "))
  }

  private static func list(_ parts: [String]) -> String {
    let more = parts.count > 5 ? "; and \(parts.count - 5) more" : ""
    return parts.prefix(5).joined(separator: "; ") + more
  }
}
