internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Converts the members of OWND's `backup.txt` to records.
///
/// Claims are texts in the first version of iOS, objects with `claimKey` in its second, and with `name` on
/// Android. They show the platform, which determines the meaning of other fields.
enum OWNDRecords {
  static let settingPrefix = "ownd."

  private static let idTokenList = "idTokenSharingHistories"
  private static let credentialList = "credentialSharingHistories"

  static func records(_ root: GuardedValue, byteCount: Int) throws -> ImportedRecords {
    guard root.kind == .object, root.member("seed") != nil || root.member(credentialList) != nil else {
      throw ForeignFileError.notThisFormat(reason: "backup.txt is not the OWND wallet's")
    }
    var records = ImportedRecords()
    records.budget.read(byteCount)
    let histories = root.member(credentialList)?.elements.compactMap(\.disclosed) ?? []
    let platform = histories.lazy.compactMap(platform).first ?? ""
    for history in histories {
      let sharing = credentialSharing(history, platform)
      if records.admits(sharing) { records.credentialSharing.append(sharing) }
    }
    for history in root.member(idTokenList)?.elements.compactMap(\.disclosed) ?? [] {
      let sharing = idTokenSharing(history, platform)
      if records.admits(sharing) { records.idTokenSharing.append(sharing) }
    }
    try records.checkLimits()
    if let seed = try root.member("seed")?.secret(), seed.bytes.count > 0 {
      records.privateKeys.append(
        PrivateKeyRecord(
          id: ForeignNames.secret(seed), walletID: nil, kind: "ownd-seed", name: "OWND wallet",
          secret: seed, createdAt: nil))
    } else {
      records.exclude("seed", "there is none in the backup", loss: .possible)
    }
    for member in root.members where !["seed", idTokenList, credentialList].contains(member.name) {
      records.exclude(member.name, "a part of the backup that is not known here", loss: .possible)
    }
    // A known limitation, which does not make the backup incomplete.
    records.exclude("credentials", "the OWND wallet does not export them", loss: .none)
    return records
  }

  private static func platform(_ history: JSONValue) -> String? {
    guard let claim = history.member("claims")?.children.first(where: { _ in true }) else { return nil }
    if claim.string != nil || claim.member("claimKey") != nil { return "ios" }
    return claim.member("name") == nil ? nil : "android"
  }

  private static func idTokenSharing(_ object: JSONValue, _ platform: String) -> IdTokenSharing {
    var members = MemberReader(object)
    var sharing = IdTokenSharing()
    sharing.id = ForeignNames.packed("ownd id-token", object.source)
    sharing.platform = platform
    sharing.rp = members.text("rp")
    if let index = members.index("accountIndex") { sharing.accountIndex = index }
    if let time = members.time("createdAt") { sharing.createdAt = time }
    sharing.extra = members.extra
    return sharing
  }

  private static func credentialSharing(_ object: JSONValue, _ platform: String) -> CredentialSharing {
    var members = MemberReader(object)
    var sharing = CredentialSharing()
    sharing.id = ForeignNames.packed("ownd credential", object.source)
    sharing.platform = platform
    sharing.rp = members.text("rp")
    if let index = members.index("accountIndex") { sharing.accountIndex = index }
    if let time = members.time("createdAt") { sharing.createdAt = time }
    sharing.credentialID = members.text("credentialID")
    if let claims = object.member("claims"), claims.kind == .array {
      let read = claims.children.map(claim)
      if !read.contains(where: { $0 == nil }) {
        sharing.claims = read.compactMap { $0 }
        members.drop("claims")
      }
    }
    if let name = members.optionalText("rpName") { sharing.rpName = name }
    if let url = members.optionalText("privacyPolicyUrl") { sharing.privacyPolicyURL = url }
    if let url = members.optionalText("logoUrl") { sharing.logoURL = url }
    if let location = members.optionalText("rpLocation") { sharing.rpLocation = location }
    if let url = members.optionalText("rpContactUrl") { sharing.rpContactURL = url }
    sharing.extra = members.extra
    return sharing
  }

  /// Parses a claim in one of its three forms; nil for another.
  private static func claim(_ value: JSONValue) -> Claim? {
    var claim = Claim()
    if let name = value.string {
      claim.key = name
      return claim
    }
    var members = MemberReader(value)
    guard let key = members.optionalText("claimKey") ?? members.optionalText("name"),
      let text = members.optionalText("claimValue") ?? members.optionalText("value")
    else { return nil }
    claim.key = key
    claim.value = text
    if let purpose = members.optionalText("purpose") { claim.purpose = purpose }
    return members.extra.isEmpty ? claim : nil
  }
}

extension MemberReader {
  /// Reads a small whole number.
  fileprivate mutating func index(_ name: String) -> UInt32? { count(name).map { UInt32(clamping: $0) } }
}
