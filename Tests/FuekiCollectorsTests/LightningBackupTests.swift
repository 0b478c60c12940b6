import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct `LND's static channel backups` {
  private static let here = Fixtures.folder("wallets/lnd-scb") != nil
  private static let samples: [(name: String, entropy: String, outpoint: String, version: UInt8)] = [
    (
      "anchors", "95258d560769b4d595767b86cf466531",
      "b693017b60d52190b40eaedca9570fc04ee217f66dbbfd4311af799c5774d681:0", 3
    ), ("zero-conf-anchors-channel", "15e143a6d6169870c130759a5f733b88", "a2fa5dd3", 3),
    ("taproot", "a4ce87a01e04d101ce0e5dd7d60ca7e1", "2d79d9a5", 5),
  ]

  /// Returns a root key in the text form that an LND user would enter.
  private static func rootKey(_ entropy: [UInt8], _ prefix: [UInt8] = [0x04, 0x35, 0x83, 0x94]) throws
    -> String
  {
    let top = try ExtendedPrivateKey(seed: try SecretBytes(copying: entropy.span))
    let chain = try top.publicKey().chainCode
    let key = top.key.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    return Base58Check.encode(prefix + [UInt8](repeating: 0, count: 9) + chain + [0] + key)
  }

  @Test(.enabled(if: here, "the fixtures are not here"), arguments: samples)
  func `with the root key the channels are counted`(
    _ sample: (name: String, entropy: String, outpoint: String, version: UInt8)
  ) throws {
    let folder = try #require(Fixtures.folder("wallets/lnd-scb"))
    let path = "\(folder)/\(sample.name).backup"
    let closed = try NodeFiles.read("lnd", path)
    #expect(closed.findings.map(\.result) == [.notProved(.needsSeed)])
    let file = try Fixtures.file("wallets/lnd-scb/\(sample.name).backup")
    #expect(closed.files.flatMap { [UInt8]($0.content) } == file)
    #expect(closed.files.first?.extra.contains { $0.name == "hazards" } == true)
    let root = try Self.rootKey(try #require(Hex.decode(sample.entropy)))
    let open = try NodeFiles.read("lnd", path, password: " \(root)\n")
    #expect(
      open.findings.map(\.result) == [.publicPart(.opened)]
        && open.findings.first?.detail == "channels=1")
    let wrong = try NodeFiles.read("lnd", path, password: try Self.rootKey([UInt8](repeating: 1, count: 16)))
    #expect(wrong.findings.map(\.result) == [.notProved(.wrongPassword)])
    let noKey = try NodeFiles.read("lnd", path, password: "El Psy Kongroo")
    #expect(noKey.findings.map(\.result) == [.notProved(.wrongPassword)])
    let key = try ChannelBackup.key(below: try .of(root), isTest: true)
    let plain = try #require(try ChannelBackup.open(file.span, key: key))
    let channel = try #require(try BackedUpChannels(reading: plain).channels.first)
    #expect(channel.outpoint.hasPrefix(sample.outpoint) && channel.version == sample.version)
    #expect(channel.hasCloseInputs && channel.capacity == 10_000_000)
    // Whatever is removed or added, parsing fails.
    for count in 0..<plain.count {
      #expect(throws: BackedUpChannels.Problem.self) { try BackedUpChannels(reading: Array(plain[..<count])) }
    }
    #expect(throws: BackedUpChannels.Problem.trailing) { try BackedUpChannels(reading: plain + [0]) }
  }

  @Test(.enabled(if: here, "the fixtures are not here")) func `a file of an unknown seed is kept`() throws {
    let folder = try #require(Fixtures.folder("wallets/lnd-scb"))
    let records = try NodeFiles.read("lnd", "\(folder)/docs-simnet-unknown-seed.backup")
    #expect(records.findings.map(\.result) == [.notProved(.needsSeed)] && records.files.first?.total == 381)
  }

  @Test func `an empty backup has no channels, and a shorter file is none`() throws {
    let folder = try TemporaryDirectory()
    let entropy = [UInt8](repeating: 3, count: 16)
    let root = try Self.rootKey(entropy, [0x04, 0x88, 0xad, 0xe4])
    let key = try ChannelBackup.key(below: try .of(root), isTest: false)
    let nonce = [UInt8](repeating: 5, count: 24)
    let sealed = try XChaCha20Poly1305.seal(
      [0, 0, 0, 0, 0].span, key: key, nonce: nonce, additionalData: nonce)
    try folder.write(nonce + sealed, to: "channel.backup")
    let records = try NodeFiles.read("lnd", folder.path, password: root)
    #expect(records.findings.map(\.detail) == ["channels=0"] && records.files.first?.total == 45)
    try folder.write([UInt8](repeating: 7, count: 44), to: "channel-cut.backup")
    try folder.write([1], to: "channel.db")
    let both = try NodeFiles.read("lnd", folder.path)
    #expect(both.findings.map(\.result) == [.faulty(.length), .notProved(.needsSeed)])
    #expect(both.files.count == 2 && both.excluded.map(\.what) == ["channel.db"])
  }

  /// Returns one channel of a backup, with generated keys.
  private static func channel(_ version: UInt8 = 1) throws -> [UInt8] {
    let points = try (1...7).map { try SamplePolynomial.point(of: padded($0), on: .secp256k1) }
    let chain = try #require(
      Hex.decode("6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000"))
    var body: [UInt8] = [1] + chain + [UInt8](repeating: 0xAB, count: 32) + [0, 1]
    body += [0, 0, 1, 0, 0, 2, 0, 3] + points[0] + [0, 0]
    body += [0, 0, 0, 0, 0, 0x98, 0x96, 0x80] + [0, 4] + [UInt8](repeating: 0, count: 40) + [0, 4]
    body += points[1...5].flatMap(\.self) + points[6] + [UInt8](repeating: 0, count: 8)
    return [version, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
  }

  @Test func `the export of one channel is opened as such, as bytes and as lncli prints it`() throws {
    let root = try Self.rootKey([UInt8](repeating: 3, count: 16), [0x04, 0x88, 0xad, 0xe4])
    let key = try ChannelBackup.key(below: try .of(root), isTest: false)
    func sealed(_ plain: [UInt8]) throws -> [UInt8] {
      let nonce = [UInt8](repeating: 5, count: 24)
      return nonce
        + (try XChaCha20Poly1305.seal(plain.span, key: key, nonce: nonce, additionalData: nonce))
    }
    let one = try Self.channel()
    let printed = try #"{"chan_point":"ab:1","chan_backup":"\#(Hex.encode(sealed(one)))"}"#
    let all = try
      #"{"chan_points":["ab:1"],"multi_chan_backup":"\#(Hex.encode(sealed([0, 0, 0, 0, 1] + one)))"}"#
    let files = try [
      ("channel-one.backup", sealed(one)), ("one.json", Array(printed.utf8)), ("two.json", Array(all.utf8)),
    ]
    let folder = try TemporaryDirectory()
    for (name, bytes) in files { try folder.write(bytes, to: name) }
    try folder.write(Array("{}".utf8), to: "other.json")
    let opened = try NodeFiles.read("lnd", folder.path, password: root)
    #expect(
      opened.findings.map(\.result) == [WalletFinding.Result](repeating: .publicPart(.opened), count: 3))
    #expect(opened.findings.map(\.detail) == ["channels=1", "channels=1", "channels=1"])
    #expect(opened.files.count == 3 && opened.excluded.map(\.what) == ["other.json"])
    #expect(opened.files.allSatisfy { $0.extra.contains { $0.name == "hazards" } })
    #expect(
      try NodeFiles.read("lnd", folder.path("one.json")).findings.map(\.result) == [.notProved(.needsSeed)])
    #expect(try CollectorKind.recognised(at: folder.path("one.json"))?.name == "lnd")
    let whole = try sealed([0, 0, 0, 0, 1] + one)
    let base64 = Data(whole).base64EncodedString()
    let answer =
      #"{"single_chan_backups":{"chan_backups":[{"chan_point":{"output_index":1},"chan_backup":"AAAA"}]},"#
      + #""multi_chan_backup":{"chan_points":[{"output_index":1}],"multi_chan_backup":"\#(base64)"}}"#
    let saved = try TemporaryDirectory()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let digits = mark + Array(Hex.encode(whole).utf8)
    let line = Array("\(base64)\r\n".utf8)
    try saved.write(Array(answer.utf8), to: "channel-all.bak")
    try saved.write(mark + Array(answer.utf8), to: "channel-all (1).bak")
    try saved.write(digits, to: "channel-hex.bak")
    try saved.write(line, to: "channel.backup")
    let pages = try NodeFiles.read("lnd", saved.path, password: root)
    #expect(pages.findings.map(\.result) == [WalletFinding.Result](repeating: .publicPart(.opened), count: 4))
    #expect(pages.findings.allSatisfy { $0.detail == "channels=1" } && pages.files.count == 4)
    for count in 0..<one.count {
      #expect(throws: BackedUpChannels.Problem.self) {
        try BackedUpChannels(readingAny: Array(one[..<count]))
      }
    }
    #expect(throws: BackedUpChannels.Problem.self) { try BackedUpChannels(readingAny: one + [0]) }
    try folder.write(Array(printed.utf8.dropLast(4)), to: "cut.json")
    #expect(
      try NodeFiles.read("lnd", folder.path("cut.json")).findings.map(\.result) == [.faulty(.malformed)])
  }
}
