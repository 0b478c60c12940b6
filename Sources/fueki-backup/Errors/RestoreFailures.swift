internal import FuekiBackup
internal import FuekiWallet

extension Failure {
  /// What it means that the destination has newer key shares.
  init(_ older: [OlderShares]) {
    self.init(
      .older,
      "the archive's key shares are older than those that are here: \(Self.list(older.map(\.sentence)))",
      meaning:
        "refreshed shares cannot sign with old ones, so the newer ones were kept and nothing was changed",
      hint: "take a newer archive, leave them out with --only profile,history, or insist with --accept-older")
  }

  /// What it means that keys lead to other addresses.
  init(_ proofs: [Proof]) {
    let sentences = proofs.map { "\(ProofLines.name(of: $0)): \($0.sentence)" }
    self.init(
      .differs, "the keys are not those of the addresses: \(Self.list(sentences))",
      meaning: "what came back could not spend what lies there, so nothing was put in place",
      hint: "try an older archive; --accept-differences restores all the same")
  }

  /// What it means that dangerous wallets are not wanted.
  init(_ wallets: [HazardousWallet]) {
    var hazards: [String] = []
    for hazard in wallets.flatMap(\.hazards) where !hazards.contains(hazard) { hazards.append(hazard) }
    let names = wallets.map { "\"\($0.name)\" (\($0.hazards.joined(separator: ", ")))" }
    let dangers = hazards.map { "\($0): \(WalletHazard.danger(of: $0))" }
    self.init(
      .differs, "dangerous when an old copy or a second one comes to life: \(Self.list(names))",
      meaning: "nothing was restored; \(dangers.joined(separator: "; "))",
      hint: "if each is stopped for good elsewhere, run again with "
        + hazards.map { "--confirm-hazard \($0)" }.joined(separator: " "))
  }

  private static func list(_ parts: [String]) -> String {
    let more = parts.count > 5 ? "; and \(parts.count - 5) more" : ""
    return parts.prefix(5).joined(separator: "; ") + more
  }
}
