internal import FuekiCrypto

extension SlotType {
  /// A sufficient number of the guardians' shares of a hybrid key.
  public static let hybridGuardians = SlotType(rawValue: 6)
}

extension SlotKind {
  /// Type 6: as type 4, with an X-Wing key pair whose seed was split.
  static let hybridGuardians = SlotKind(
    type: .hybridGuardians, name: "hybrid-guardians", isForTheLongTerm: true, holder: .guardians,
    advice: guardians.advice,
    facts: { GuardianParameters($0, .hybrid).map { SlotFacts(guardians: $0.summary) } },
    identities: { guardianIdentities($0, .hybrid, keys: $0.identities.hybrid) })
}
