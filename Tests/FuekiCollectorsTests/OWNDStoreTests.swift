import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

@Suite(.enabled(if: ForeignFiles.ownd != nil, Comment(rawValue: ForeignFiles.owndReason)))
struct `Files of the OWND wallet's own` {
  private static func read(_ name: String, _ request: CollectionRequest = CollectionRequest()) throws
    -> ImportedRecords
  {
    let path = try #require(ForeignFiles.ownd).path(name)
    let kind = try #require(try CollectorKind.recognised(at: path), "\(name) is not recognised")
    #expect(kind.name == "ownd")
    return try kind.source(at: path).read(request).holdingFiles()
  }

  private static func store(_ name: String) throws -> OWNDStore {
    let bytes = try #require(ForeignFiles.ownd).read(name)
    return try OWNDStore(bytes.span)
  }

  @Test func `what was shown to whom is read as Android numbers it`() throws {
    let records = try Self.read("credential_sharing_history.pb")
    #expect(records.credentialSharing.count == 2 && records.isComplete && records.problems.isEmpty)
    let shown = records.credentialSharing[0]
    #expect(shown.platform == "android" && shown.rp == "https://b.example" && shown.accountIndex == 3)
    #expect(shown.createdAt == 1_772_600_767_089_000 && shown.credentialID == "c1")
    #expect(shown.claims.map(\.key) == ["name", "age"] && shown.claims.map(\.value) == ["Zoë", ""])
    #expect(shown.claims.map(\.purpose) == ["age", ""])
    #expect(shown.rpLocation == "Tokyo" && shown.rpContactURL == "https://b.example/c")
    #expect(shown.privacyPolicyURL == "https://b.example/p" && shown.logoURL == "https://b.example/l")
    #expect(shown.rpName == "B" && shown.extra.isEmpty)
    // A nanosecond does not fit a record's time, but is kept.
    let second = records.credentialSharing[1]
    #expect(second.createdAt == 5_000_000 && second.extra.map(\.name) == ["nanoseconds"])
    #expect(second.extra.map(\.json) == ["1"])
  }

  @Test func `a file of iOS is told by what is in its fields`() throws {
    let shown = try #require(try Self.read("ios.pb").credentialSharing.first)
    #expect(shown.platform == "ios" && shown.rpName == "B" && shown.logoURL == "https://b.example/l")
    #expect(shown.privacyPolicyURL == "https://b.example/p" && !shown.hasRpLocation && shown.extra.isEmpty)
  }

  @Test(arguments: [("fork.pb", "android", ["field7", "field8"]), ("unsure.pb", "", ["field7"])])
  func `a field that could be either's is kept by its number`(
    name: String, platform: String, kept: [String]
  ) throws {
    let records = try Self.read(name)
    let shown = try #require(records.credentialSharing.first)
    #expect(shown.platform == platform && shown.extra.map(\.name) == kept)
    #expect(!shown.hasPrivacyPolicyURL && !shown.hasLogoURL && !shown.hasRpContactURL)
    #expect(records.problems.map(\.problem).joined().contains("by their numbers"))
  }

  @Test func `claims of the first version are their names`() throws {
    let shown = try #require(try Self.read("first.pb").credentialSharing.first)
    #expect(shown.claims.map(\.key) == ["given_name", "is_older_than_20"] && shown.platform == "android")
  }

  @Test func `who was shown an ID token is read`() throws {
    let shown = try Self.read("id_token_sharing_history.pb").idTokenSharing
    #expect(shown.map(\.rp) == ["https://b.example", "https://b.example"])
    #expect(shown.map(\.createdAt) == [1_772_600_767_089_000, -1_000_000])
    // A negative index does not fit a record.
    #expect(shown.map(\.hasAccountIndex) == [false, false])
    #expect(shown[1].extra.map(\.name) == ["accountIndex"] && shown[1].extra.map(\.json) == ["-1"])
  }

  @Test(arguments: ["credentials.pb", "credential.pb"])
  func `credentials are read, in a list and alone`(name: String) throws {
    let records = try Self.read(name)
    let credential = try #require(records.credentials.first)
    #expect(PackedText.text(credential.id) == "2f1b9d5e-0c52-4b1c-9d44-0b8f6f6f2d11")
    #expect(credential.format == "vc+sd-jwt" && credential.credential == "eyJhbGciOiJFUzI1NiJ9.e30.c2ln~")
    #expect(credential.cNonce == "n" && credential.cNonceExpiresIn == 86_400)
    #expect(credential.iss == "https://issuer.example" && credential.type == "ParticipationCertificate")
    #expect(credential.iat == 1_772_600_767 && credential.exp == 1_804_136_767)
    #expect(credential.accessToken == "canary-token" && credential.credentialIssuerMetadata.hasPrefix("{"))
    #expect(records.report(source: "x").records(in: .credentials) == UInt64(records.credentials.count))
    guard name == "credentials.pb" else { return }
    #expect(records.credentials.count == 2)
    #expect(records.credentials[1].exp == -1 && records.credentials[1].id.count > 16)
  }

  @Test func `fields of a newer version are kept`() throws {
    let credential = try #require(try Self.read("newer.pb").credentials.first)
    #expect(credential.extra.map(\.name) == ["field12", "field13"])
    #expect(credential.extra.map(\.json) == [#""p""#, "18446744073709551615"])
    let shown = try #require(try Self.read("newer-claim.pb").credentialSharing.first)
    #expect(shown.claims.map(\.value) == ["v"] && shown.extra.map(\.name) == ["claims.0.field4"])
    #expect(shown.extra.map(\.json) == [#""ja""#])
  }

  @Test func `of two credentials with one id the first is taken, and the other named`() throws {
    let records = try Self.read("same-id.pb")
    #expect(records.credentials.map(\.type) == ["ParticipationCertificate"] && !records.isComplete)
    #expect(records.excluded.map(\.reason) == ["another credential has its id"])
  }

  @Test func `what only the phone can open is told from damage`() throws {
    let error = #expect(throws: ForeignFileError.self) { try Self.read("credential_data.pb") }
    #expect(error?.sentence.contains("stays in the phone") == true)
    #expect(throws: OWNDStoreError.encrypted) { try Self.store("credential_data.pb") }
  }

  @Test(arguments: [
    ("bad-cut.pb", OWNDStoreError.malformed(.truncated, record: 1)),
    ("bad-group.pb", .malformed(.invalidTag, record: 1)),
    ("bad-number.pb", .malformed(.invalidTag, record: 1)),
    ("bad-overlong.pb", .malformed(.varintNotMinimal, record: 1)),
    ("bad-length.pb", .malformed(.truncated, record: 1)),
    ("bad-utf8.pb", .malformed(.invalidValue(field: 1), record: 1)),
    ("bad-twice.pb", .malformed(.repeated(field: 1), record: 1)),
    ("bad-type.pb", .malformed(.wrongType(field: 6), record: 1)),
    ("bad-index.pb", .malformed(.invalidValue(field: 2), record: 1)),
    ("bad-time.pb", .malformed(.invalidValue(field: 3), record: 1)),
    ("bad-claim.pb", .malformed(.invalidValue(field: 5), record: 1)),
    ("bad-nothing.pb", .unrecognised(record: 2)), ("bad-mixed.pb", .mixed(record: 2)),
    ("bad-content.pb", .noContent(record: 1)),
  ])
  func `each fault is named, with the record that has it`(name: String, error: OWNDStoreError) throws {
    #expect(throws: error) { try Self.store(name) }
    #expect(error.sentence.contains("record "))
  }

  @Test func `an empty file has no records`() {
    let bytes: [UInt8] = []
    #expect(throws: OWNDStoreError.empty) { try OWNDStore(bytes.span).records.isComplete }
  }

  @Test func `a folder of them is read as one, and what is not is named`() throws {
    let folder = try #require(ForeignFiles.ownd).path
    let records = try CollectorKind(named: "ownd").source(at: folder).read(CollectionRequest()).holdingFiles()
    #expect(!records.isComplete && records.credentials.count > 2 && records.idTokenSharing.count == 2)
    let excluded = Set(records.excluded.map(\.what))
    #expect(excluded.isSuperset(of: ["bad-cut.pb", "credential_data.pb"]))
  }

  @Test(arguments: ["credential_sharing_history.pb", "credentials.pb", "ios.pb"])
  func `a file with a changed or missing byte is refused or read, and nothing traps`(name: String) throws {
    let bytes = try #require(ForeignFiles.ownd).read(name)
    for place in bytes.indices {
      for change in [0x01, 0x08, 0x80, 0xFF] as [UInt8] {
        var altered = bytes
        altered[place] ^= change
        _ = try? OWNDStore(altered.span)
      }
      let cut = Array(bytes.prefix(place))
      _ = try? OWNDStore(cut.span)
    }
  }

  @Test func `the same file has the same ids each time, and each record one of its own`() throws {
    let names = ["credentials.pb", "credential_sharing_history.pb", "id_token_sharing_history.pb"]
    for name in names {
      let (one, two) = (try Self.read(name), try Self.read(name))
      #expect(one.credentials == two.credentials && one.credentialSharing == two.credentialSharing)
      #expect(Set(one.credentialSharing.map(\.id)).count == one.credentialSharing.count)
      #expect(Set(one.idTokenSharing.map(\.id)).count == one.idTokenSharing.count)
    }
  }
}
