import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

@Suite(.enabled(if: ForeignFiles.own != nil, Comment(rawValue: ForeignFiles.ownReason)))
struct `Encrypted backups of the Fueki app` {
  static let phrase = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"
  private static let whole = CollectionRequest(includesPrivateKeys: true)

  private func read(
    _ name: String, _ passphrase: SourcePassphrase? = ForeignFiles.asking(),
    _ request: CollectionRequest = whole
  ) throws -> ImportedRecords {
    let path = try #require(ForeignFiles.own).path(name)
    let kind = try #require(try CollectorKind.recognised(at: path))
    return try kind.source(at: path, passphrase: passphrase).read(request).holdingFiles()
  }

  @Test func `a full backup gives wallets by chain, tokens, contacts, settings and secrets`() throws {
    let records = try read("unstoppable-full.json")
    #expect(records.isComplete && records.problems.isEmpty)
    #expect(records.wallets.map(\.chainFamily) == ["evm", "bitcoin", "evm", "evm"])
    #expect(records.wallets.map(\.kind) == ["hot", "hot", "watch-only", "hot"])
    #expect(records.wallets[1].derivationPath == "m/84'/0'/0'")
    #expect(records.wallets[0].extra.contains { $0.name == "nonBip39Compliant" })
    #expect(PackedText.text(records.wallets[2].address) == "0x9858EfFD232B4033E47d90003D41EC34EcaEda94")
    #expect(records.assets.map(\.kind) == ["native", "erc20", "native", "native", "native"])
    #expect(records.contacts.map(\.name) == ["Zoë", "Zoë"])
    #expect(
      records.settings.map(\.key).sorted() == [
        "unstoppable.limit", "unstoppable.theme_mode", "unstoppable.watchlist",
      ])
    #expect(records.secretTexts["seed-phrase"] == Self.phrase)
    #expect(records.secretTexts["seed-phrase-passphrase"] == "ex@tra")
    #expect(records.secretTexts["private-key"] == String((1...32).map { Character(Unicode.Scalar($0)) }))
  }

  @Test(arguments: ["unstoppable-named.json", "unstoppable-bare.json"])
  func `a wallet's backup may stand alone, under either salt`(name: String) throws {
    let records = try read(name)
    #expect(records.wallets.map(\.name) == [name.contains("named") ? "Named" : ""])
    #expect(records.secretTexts == ["seed-phrase": Self.phrase])
  }

  @Test func `a container gives accounts by chain, settings and the phrase`() throws {
    let records = try read("vault.fueki")
    #expect(records.isComplete && records.problems.isEmpty)
    #expect(records.wallets.map(\.chainID) == ["1", "bitcoin"])
    #expect(records.wallets[0].accounts.map(\.path) == ["m/44'/60'/0'/0/0"])
    #expect(records.wallets[0].createdAt == 1_763_700_000_500_000)
    #expect(records.secretTexts == ["seed-phrase": Self.phrase])
    #expect(records.settings.contains { $0.key == "fueki-vault.autoLockTimeout" && $0.value == "300.5" })
  }

  @Test func `the same file has the same ids each time`() throws {
    for name in ["unstoppable-full.json", "vault.fueki", "ownd-2.zip"] {
      let (one, two) = (try read(name), try read(name))
      #expect(one.wallets == two.wallets && one.assets == two.assets && one.contacts == two.contacts)
      #expect(one.privateKeys.map(\.id) == two.privateKeys.map(\.id))
      #expect(Set(one.privateKeys.map(\.id)).count == one.privateKeys.count)
    }
  }

  @Test func `what does not fit is refused for what it is`() throws {
    for name in ["unstoppable-full.json", "unstoppable-bare.json", "vault.fueki"] {
      let path = try #require(ForeignFiles.own).path(name)
      #expect(throws: ForeignFileError.wrongPassphrase(file: path)) {
        try read(name, ForeignFiles.asking("x"))
      }
      let unopened = try read(name, nil)
      #expect(unopened.files.count == 1 && unopened.wallets.isEmpty && unopened.isComplete)
      #expect(unopened.excluded.map(\.what) == [path])
    }
    for name in ["unstoppable-newer.json", "vault-newer.fueki"] {
      let error = #expect(throws: ForeignFileError.self) { try read(name) }
      guard case .tooNew? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
    }
    let costly = #expect(throws: ForeignFileError.self) { try read("unstoppable-costly.json") }
    guard case .overLimit? = costly else {
      Issue.record("no limit")
      return
    }
    let damaged = #expect(throws: ForeignFileError.self) { try read("vault-checksum.fueki") }
    #expect(damaged?.sentence.contains("checksum") == true)
    let cloud = try #require(ForeignFiles.own).path("vault-cloud.fueki")
    let refused = #expect(throws: ForeignFileError.self) {
      try CollectorKind(named: "fueki-vault").source(at: cloud).read(Self.whole).holdingFiles()
    }
    #expect(refused?.sentence.contains("phone") == true)
  }

  @Test func `secrets stay out of what did not ask for them`() throws {
    let records = try read("vault.fueki", ForeignFiles.asking(), CollectionRequest())
    #expect(records.privateKeys.isEmpty && !records.isComplete)
    #expect(records.excluded.map(\.what) == ["private keys"] && !records.excluded[0].byRequest)
  }

  @Test func `a key share's parts are found, and its bytes are the secret`() throws {
    let records = try read("share.bin")
    let share = try #require(records.shares.first)
    #expect(share.descriptor.curve == "secp256k1" && share.descriptor.partyIndex == 1)
    #expect(share.descriptor.threshold == 2 && share.descriptor.total == 3)
    #expect(share.descriptor.groupPublicKey.count == 33 && share.descriptor.id.count == 16)
    #expect(share.secret.bytes.count == 32)
  }

  // MARK: OWND

  @Test(arguments: [("ownd-1.zip", "ios"), ("ownd-2.zip", "ios"), ("ownd-android.zip", "android")])
  func `each shape of OWND's claims is told from the others`(name: String, platform: String) throws {
    let records = try read(name)
    let sharing = try #require(records.credentialSharing.first)
    #expect(sharing.platform == platform && sharing.credentialID == "c1")
    #expect(sharing.claims.count == (name == "ownd-1.zip" ? 2 : 1))
    #expect(sharing.claims[0].value == (name == "ownd-1.zip" ? "" : "Zoë"))
    #expect(sharing.claims[0].purpose == (name == "ownd-2.zip" ? "age" : ""))
    #expect(sharing.createdAt == 1_772_600_767_089_000)
    #expect(sharing.extra.map(\.name) == ["more"])
    #expect(sharing.extra.map(\.json) == ["1.5"])
    #expect(records.idTokenSharing.map(\.accountIndex) == [1])
    #expect(records.secretTexts == ["ownd-seed": "c2VlZCBvZiBPV05E"])
    #expect(records.isComplete)
  }

  @Test func `a ZIP file that holds too much or something else is refused`() throws {
    let bomb = #expect(throws: ForeignFileError.self) { try read("ownd-bomb.zip") }
    guard case .overLimit? = bomb else {
      Issue.record("no limit")
      return
    }
    #expect(throws: ForeignFileError.self) { try read("ownd-other.zip") }
  }

  @Test func `a ZIP file with a changed or missing byte is refused or the same, and nothing traps`() throws {
    let bytes = try #require(ForeignFiles.own).read("ownd-2.zip")
    for place in bytes.indices {
      for change in [0x01, 0x80, 0xFF] as [UInt8] {
        var altered = bytes
        altered[place] ^= change
        let secret = try SecretBytes(copying: altered.span)
        _ = try? OWNDCollector.records(secret, work: WorkBudget())
      }
      let cut = try SecretBytes(copying: Array(bytes.prefix(place)).span)
      #expect(throws: ForeignFileError.self) { try OWNDCollector.records(cut, work: WorkBudget()) }
    }
  }
}
