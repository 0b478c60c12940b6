internal import FoundationEssentials
internal import FuekiWallet

/// The sample's address book, settings, credentials, conversations and presentations.
struct SamplePeople {
  let seed: UInt64

  private static let names = [
    "Aiko 愛子", "Zoë", "Zoe\u{308}", "Grandmother 👵🏽", "דָּנִי", "Muḥammad", "O’Brien & Sons",
    "Exchange \"North\"", "Bakery",
    "Łukasz", "Rent", "Old phone",
  ]

  func contacts(_ history: SampleHistory) -> [Contact] {
    var random = SampleRandom(seed: seed, place: 0xC0A7)
    return Self.names.enumerated().map { index, name in
      let chain = SampleChain.allCases[index % 3]
      var contact = Contact()
      contact.id = random.packed(form: PackedText.Form.upperCaseUUID.rawValue, 16)
      contact.name = name
      contact.address = history.counterparties(on: chain)[index]
      contact.chainFamily = chain.family
      contact.chainID = chain.chainID
      contact.notes = index % 4 == 0 ? "Met in Lisbon.\nPays late." : ""
      contact.createdAt = SampleTime.of(index, among: Self.names.count)
      return contact
    }
  }

  func settings() -> [Setting] {
    let values = [
      ("currency", "\"EUR\""), ("language", "\"de-CH\""), ("autoLockSeconds", "300"),
      ("hideSmallBalances", "true"),
      ("feePreference", #"{"ethereum":"normal","bitcoin":"slow"}"#),
      ("spendingLimit", SampleWallet.largestAmount),
      ("theme", "null"), ("favourites", #"["ETH","BTC","☕️"]"#),
    ]
    return values.map { key, value in
      var setting = Setting()
      setting.key = key
      setting.value = value
      setting.updatedAt = SampleTime.end
      return setting
    }
  }

  func credentials() -> [Credential] {
    var random = SampleRandom(seed: seed, place: 0xC8ED)
    var credential = Credential()
    credential.id = random.packed(form: PackedText.Form.lowerCaseUUID.rawValue, 16)
    credential.format = "vc+sd-jwt"
    // The header and payload are real, but the signature is not.
    credential.credential =
      "eyJhbGciOiJFUzI1NiIsInR5cCI6InZjK3NkLWp3dCJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlLm9yZyJ9."
      + Data(random.bytes(64)).base64EncodedString().prefix(86)
    credential.iss = "https://issuer.example.org"
    credential.iat = 1_790_000_000
    credential.exp = 1_821_536_000
    credential.type = "EmployeeIdentification"
    credential.credentialIssuerMetadata =
      #"{"credential_issuer":"https://issuer.example.org","display":[{"name":"Example"}]}"#
    return [credential]
  }

  func credentialSharings(_ credential: Credential) -> [CredentialSharing] {
    ["ios", "android"].enumerated().map { index, platform in
      var random = SampleRandom(seed: seed, place: 0x54A0 + UInt64(index))
      var sharing = CredentialSharing()
      sharing.id = random.packed(form: PackedText.Form.lowerCaseUUID.rawValue, 16)
      sharing.platform = platform
      sharing.rp = "https://rp\(index).example.org"
      sharing.accountIndex = UInt32(index)
      sharing.createdAt = SampleTime.end - Int64(index + 1) * 86_400_000_000
      sharing.credentialID = PackedText.text(credential.id) ?? ""
      var claim = Claim()
      claim.key = "family_name"
      claim.value = "Müller"
      claim.purpose = "to greet you"
      sharing.claims = [claim]
      sharing.rpName = "Example \(index)"
      sharing.privacyPolicyURL = "https://rp\(index).example.org/privacy"
      sharing.logoURL = "https://rp\(index).example.org/logo.png"
      if platform == "android" {
        sharing.rpLocation = "Zürich"
        sharing.rpContactURL = "https://rp\(index).example.org/contact"
      }
      return sharing
    }
  }

  func idTokenSharings() -> [IdTokenSharing] {
    ["ios", "android"].enumerated().map { index, platform in
      var random = SampleRandom(seed: seed, place: 0x54B0 + UInt64(index))
      var sharing = IdTokenSharing()
      sharing.id = random.packed(form: PackedText.Form.lowerCaseUUID.rawValue, 16)
      sharing.platform = platform
      sharing.rp = "https://login\(index).example.org"
      sharing.accountIndex = UInt32(index)
      sharing.createdAt = SampleTime.end - Int64(index + 5) * 86_400_000_000
      return sharing
    }
  }
}
