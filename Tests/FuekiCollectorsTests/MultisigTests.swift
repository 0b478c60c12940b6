import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Coordinators' files: published ones if available, and variations of texts here.
struct MultisigTests {
  private static var isPublishedHere: Bool { Fixtures.folder("wallets/sparrow") != nil }
  private static let first =
    "[8188029f/48'/0'/0'/2']xpub6EMVvcTUbaABdaPLaVWE72CjcN72URa5pKK1knrKLz1hKaDwUkgddc3832a8MHEpLyuow7MfjMRomt2iMtwPH4pWrFLft4JsquHjeZfKsYp"
  private static let second =
    "[3bd5c9b0/48'/0'/0'/2']xpub6EbTHAgvzZtVppjLPXia2prt6T2w7DD2VQ8gysgV6ECzmKkA6zt4WR3hX4bgciTDrnaneZoJbA19tYKBMrWuA89SbgYAdbMNWmtzrgLhqco"
  private static let address = "bc1qfagqa83vrv9phj0886rlx6d68zzd7gejtr0ns8xxfeckve27397q6vq47w"

  private func read(_ path: String, _ passphrase: SourcePassphrase? = nil) throws -> ImportedRecords {
    try CollectorKind(named: "multisig").source(at: path, passphrase: passphrase)
      .read(CollectionRequest(includesPrivateKeys: true)).holdingFiles()
  }

  private func read(text: String) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "wallet.txt")
    return try read(folder.path("wallet.txt"))
  }

  @Test func `a file with more keys than its source may ask for is kept unread`() throws {
    let folder = try TemporaryDirectory()
    let line = "wsh(sortedmulti(2,\(Self.first)/0/*,\(Self.second)/0/*))\n"
    try folder.write(Array(String(repeating: line, count: 3).utf8), to: "wallet.txt")
    let limit = WorkBudget.limit(of: .candidates, input: 0)
    func findings(leaving rest: UInt64) throws -> [WalletFinding.Result] {
      var request = CollectionRequest(includesPrivateKeys: true)
      request.isForBackup = true
      request.work = WorkBudget()
      try request.work.spend(limit - rest, on: .candidates)
      let records = try CollectorKind(named: "multisig").source(at: folder.path("wallet.txt")).read(request)
        .holdingFiles()
      let kept = try records.holdingFiles()
      #expect(kept.files.count + kept.secretFiles.count == 1)
      return records.findings.map(\.result)
    }
    #expect(try findings(leaving: limit / 2) == [.publicPart()])
    #expect(try findings(leaving: 100) == [.notProved(.workLimit)])
  }

  private static let published: [(String, [WalletFinding.Result], detail: String)] = [
    ("sparrow/bsms/multisig-1.bsms", [.publicPart(.address)], "2 of 2 \(address)"),
    (
      "sparrow/bsms/multisig-2.bsms", [.publicPart(.address)],
      "2 of 2 bc1qrgc6p3kylfztu06ysl752gwwuekhvtfh9vr7zg43jvu60mutamcsv948ej"
    ),
    ("sparrow/bsms/multisig-3.bsms", [.publicPart(.address)], "2 of 3 3GzMtFXahiu4TpGNGFc4bHMvAcvz5vVQrT"),
    (
      "sparrow/bsms/multisig-4.bsms", [.publicPart(.address)],
      "2 of 2 bc1qrgc6p3kylfztu06ysl752gwwuekhvtfh9vr7zg43jvu60mutamcsv948ej"
    ),
    // Its paths are /2 and /3, and its address is for /0.
    (
      "sparrow/bsms/multisig-5.bsms", [.faulty(.otherAddress)],
      "2 of 2 bc1qfp49c6ucdprfegynx6p52fnretl3d0jnnk5kh60w0"
    ),
    ("sparrow/bsms/multisig-9.bsms", [.faulty(.otherAddress)], "2 of 2 "),
    (
      "sparrow/bsms/multisig-11.bsms", [.publicPart(.address)],
      "2 of 2 bc1q8n3lmaupwkl4yag8vqvf083kqjp5gqpscsk3dpgnjjw4lryvxxkqmz3e7y"
    ),
    (
      "sparrow/bsms/multisig-14.bsms", [.publicPart()],
      "2 of 2 bc1qrgc6p3kylfztu06ysl752gwwuekhvtfh9vr7zg43jvu60mutamcsv948ej"
    ),
    ("sparrow/caravan-multisig-export-1.json", [.publicPart(.wholeness)], "2 of 3 bc1q"),
    ("sparrow/cc-multisig-export-1.txt", [.publicPart(.wholeness)], "2 of 4 bc1q"),
    (
      "sparrow/cc-singlesig-keystore-1.json", [.publicPart(.address)],
      "1 of 1 n44vs1Rv7T8SANrg2PFGQhzVkhr5Q6jMMD"
    ),
    ("sparrow/descriptor-multipath.txt", [.publicPart(.wholeness)], "1 of 1 bc1q"),
    ("sparrow/descriptor-receive-change1.txt", [.publicPart(.wholeness)], "1 of 1 bc1q"),
    ("sparrow/specter-multisig-wallet.json", [.publicPart(.wholeness)], "3 of 4 bc1q"),
    ("sparrow/bluewallet-fixtures/fromsparrow-coldcard.txt", [.publicPart(.wholeness)], "2 of 3 bc1q"),
    (
      "sparrow/bluewallet-fixtures/nunchuck-bsms.txt", [.publicPart(.address)],
      "2 of 3 bc1qjppd555998lvpgdew30kdrvu2qg90n5gg684khrc2u5g7kj8cnuqujvz3p"
    ),
    ("liana/liana-backup-2025-06-23T13-23-54.json", [.publicPart(.address)], ""),
    ("liana/liana-jz5sm0xn.txt", [.publicPart(.wholeness)], ""),
  ]

  @Test(.enabled(if: isPublishedHere, "the published files are not here"), arguments: published.indices)
  func `a published file is kept, and is worth what its checksums and addresses say`(_ place: Int) throws {
    let (name, results, detail) = Self.published[place]
    let path = try #require(Fixtures.folder("wallets")) + "/" + name
    let records = try read(path)
    #expect(records.findings.map(\.result) == results, "\(name)")
    #expect(records.findings.first?.detail.hasPrefix(detail) == true, "\(records.findings.map(\.detail))")
    let bytes = try File.open(path).readAll(limit: 1 << 20)
    #expect(records.files.flatMap { Array($0.content) } == bytes && records.secretFiles.isEmpty)
    #expect(!records.wallets.isEmpty && records.isComplete)
    #expect(try CollectorKind.recognised(at: path)?.name == "multisig", "\(name)")
  }

  @Test(.enabled(if: isPublishedHere, "the published files are not here"))
  func `Specter's wallets have their labels, and Liana's its name`() throws {
    let folder = try #require(Fixtures.folder("wallets"))
    let specter = try read(folder + "/sparrow/specter-desktop/restore_wallets.json")
    #expect(!specter.findings.isEmpty && specter.findings.allSatisfy { $0.result == .publicPart(.address) })
    #expect(specter.settings.contains { $0.value.contains("Change #1") })
    #expect(specter.findings.map(\.name).contains("btc Hot Wallet"))
    let liana = try read(folder + "/liana/liana-backup-2025-06-23T13-23-54.json")
    #expect(liana.wallets.map(\.name) == ["My Liana Regtest wallet"])
    #expect(liana.wallets.map(\.chainID) == ["bitcoin-regtest"])
  }

  private static let texts: [(String, WalletFinding.Result)] = [
    ("wsh(sortedmulti(2,\(first)/<0;1>/*,\(second)/<0;1>/*))", .publicPart()),
    ("wsh(sortedmulti(3,\(first)/<0;1>/*,\(second)/<0;1>/*))", .faulty(.quorum)),
    ("wsh(sortedmulti(0,\(first)/<0;1>/*,\(second)/<0;1>/*))", .faulty(.quorum)),
    ("wsh(sortedmulti(2,\(first)/<0;1>/*,\(first)/<0;1>/*))", .faulty(.quorum)),
    ("wsh(sortedmulti(2,\(first)/0/*,\(second)/0/*))#qqqqqqqq", .faulty(.checksum)),
    (
      "wsh(sortedmulti(2,\(first.replacing("xpub6EMV", with: "xpub6EMW"))/0/*,\(second)/0/*))",
      .faulty(.checksum)
    ),
    ("wsh(sortedmulti(2,\(first.replacing("/2']", with: "]"))/0/*,\(second)/0/*))", .faulty(.malformed)),
    ("wsh(sortedmulti(2,\(first)/0/*,\(second)/0/*)", .faulty(.malformed)),
    (
      "BSMS 1.0\nwsh(sortedmulti(2,\(first)/**,\(second)/**))\n/0/*,/1/*\n\(address)\n", .publicPart(.address)
    ),
    (
      "BSMS 1.0\r\nwsh(sortedmulti(2,\(first)/**,\(second)/**))\r\n/0/*,/1/*\r\n\(address)\r\n",
      .publicPart(.address)
    ),
    (
      "BSMS 1.0\nwsh(sortedmulti(2,\(first)/**,\(second)/**))\n/1/*,/0/*\n\(address)\n",
      .faulty(.otherAddress)
    ),
    ("BSMS 1.0\nwsh(multi(2,\(second)/**,\(first)/**))\n/0/*,/1/*\n\(address)\n", .faulty(.otherAddress)),
    ("BSMS 1.0\n", .faulty(.malformed)),
    (coldcard("2 of 2"), .publicPart(.wholeness)), (coldcard("3 of 3"), .faulty(.length)),
    (coldcard("2 of 3"), .faulty(.length)), (coldcard("3 of 2"), .faulty(.quorum)),
  ]

  private static func coldcard(_ policy: String) -> String {
    "Name: x\nPolicy: \(policy)\nDerivation: m/48'/0'/0'/2'\nFormat: P2WSH\n\n"
      + [first, second].map { "\($0.dropFirst().prefix(8)): \($0.split(separator: "]")[1])\n" }.joined()
  }

  @Test(arguments: texts.indices)
  func `what does not fit is told, and the file is kept`(_ place: Int) throws {
    let (text, result) = Self.texts[place]
    let records = try read(text: text)
    #expect(records.findings.map(\.result) == [result], "\(text)")
    #expect(records.files.count + records.secretFiles.count == 1)
  }

  /// Each place of a template gets the path, and each key of Coldcard's file the path before it.
  @Test(arguments: [
    "BSMS 1.0\nwsh(\(String(repeating: "/**", count: 4000)))\n/\(String(repeating: "0", count: 9000))\n\n",
    "Name: a\nPolicy: 1 of 64\nDerivation: m\(String(repeating: "/1", count: 9000))\nFormat: P2WSH\n"
      + (0..<64).map { "0000000\($0 % 10): xpub" }.joined(separator: "\n") + "\n",
  ])
  func `the length limit also holds for a composed descriptor`(_ text: String) throws {
    #expect(try read(text: text).findings.map(\.result) == [.faulty(.malformed)])
  }

  @Test func `a descriptor with a private key is a secret, and its key is in no record`() throws {
    let key =
      "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
    let records = try read(text: "wpkh(\(key)/0/*)")
    #expect(records.secretFiles.count == 1 && records.files.isEmpty && records.wallets.isEmpty)
    #expect(records.findings.map(\.isInClear) == [true])
    #expect(records.findings.map(\.result) == [.proved(.wholeness)])
    // One key of two does not spend.
    let part = try read(text: "wsh(sortedmulti(2,\(key)/0/*,\(Self.second)/0/*))")
    #expect(part.secretFiles.count == 1)
    #expect(part.findings.map(\.result) == [.notProved(.needsOtherParties)])
  }

  // MARK: BIP-138

  private static let point = "02e6642fd69bd211f93f7f1f36ca51a26a5290eb2dd1b0d8279a87bb0d480c8443"
  private static let other = "0384526253c27c7aef56c7b71a5cd25bebb66dddda437826defc5b2568bde81f07"

  @Test func `an encrypted descriptor opens with any of its keys, and with no other`() throws {
    let text = "wsh(sortedmulti(2,\(Self.first)/<0;1>/*,\(Self.second)/<0;1>/*))"
    let points = DescriptorBackup.keys(of: text)
    #expect(points.count == 2)
    let bytes = try DescriptorBackup.sealed(
      Array(text.utf8), .descriptor, to: points, paths: DescriptorBackup.paths(of: text))
    let backup = try DescriptorBackup(bytes)
    #expect(backup.paths.map(\.description) == ["m/48h/0h/0h/2h"] && backup.individualSecrets.count == 2)
    for point in points {
      let opened = try backup.open(with: point)
      #expect(opened.content == .descriptor && opened.plaintext == Array(text.utf8))
    }
    let stranger = try #require(Hex.decode(Self.point))
    #expect(throws: DescriptorBackup.Problem.otherKey) { try backup.open(with: stranger) }
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "wallet.bed")
    let key = String(Self.second.split(separator: "]")[1])
    #expect(try read(folder.path("wallet.bed")).findings.map(\.result) == [.notProved(.needsSeed)])
    let opened = try read(folder.path("wallet.bed"), ForeignFiles.asking(key))
    #expect(opened.findings.map(\.result) == [.publicPart(.opened)] && opened.wallets.count == 1)
    #expect(
      try read(folder.path("wallet.bed"), ForeignFiles.asking(Self.point)).findings.map(\.result)
        == [.notProved(.wrongPassword)])
    for count in 0..<bytes.count where count % 7 == 0 {
      #expect(throws: DescriptorBackup.Problem.self) { try DescriptorBackup(Array(bytes[..<count])) }
    }
  }

  @Test(.enabled(if: isPublishedHere, "the published files are not here"))
  func `the draft's vectors are written byte for byte, and read`() throws {
    let bytes = try Fixtures.file("wallets/liana/beb-vectors/encrypted_backup.json")
    let vectors = try JSONDocument(bytes, limit: bytes.count).root.children
    var count = 0
    for vector in vectors {
      func text(_ name: String) -> String { vector.member(name)?.string ?? "" }
      let keys = vector.member("keys")?.children.compactMap { $0.string.flatMap { Hex.decode($0) } } ?? []
      let paths = vector.member("derivation_paths")?.children.compactMap {
        $0.string.flatMap { DerivationPath($0) }
      }
      let content: DescriptorBackup.Content =
        switch text("content") {
        case "00": .unknown
        case "02017c": .descriptor
        case "020149": .labels
        // The vector has one more byte than it states.
        default: .proprietary([0xde, 0xad, 0xbe])
        }
      let plain = Array(text("plaintext").utf8)
      let sealed = try DescriptorBackup.sealed(
        plain, content, to: keys.reversed(), paths: paths ?? [], nonce: Hex.decode(text("nonce")))
      #expect(Hex.encode(sealed) == text("expected"), "\(text("description"))")
      for key in keys {
        let opened = try DescriptorBackup(sealed).open(with: key)
        #expect(opened.plaintext == plain && opened.content == content)
      }
      count += 1
    }
    #expect(count == 4)
  }
}
