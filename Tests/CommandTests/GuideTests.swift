import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// The guides' commands, run one after the other as they are shown, on a machine that has the guide's wallet.
struct GuideTests {
  /// A page, and the files that its reader has.
  struct Guide: CustomTestStringConvertible {
    let page: String
    var files: [(path: String, bytes: [UInt8])] = []
    /// Has this program's own store, with key shares.
    var hasStore = false
    /// The exit status of `create`: 60 if a wallet of the guide is a sample that its program would refuse.
    var status: Int32 = 0

    var testDescription: String { page }
  }

  private static let zeros = [UInt8](repeating: 0, count: 8192)
  private static let sparrow = Array("H2encrypt\n01234567SPRW1\n0123456789abcdef".utf8)
  private static let descriptor = """
    BSMS 1.0
    wsh(sortedmulti(2,[8188029f/48'/0'/0'/2']xpub6EMVvcTUbaABdaPLaVWE72CjcN72URa5pKK1knrKLz1hKaDwUkgddc3832a8MHEpLyuow7MfjMRomt2iMtwPH4pWrFLft4JsquHjeZfKsYp/**,[3bd5c9b0/48'/0'/0'/2']xpub6EbTHAgvzZtVppjLPXia2prt6T2w7DD2VQ8gysgV6ECzmKkA6zt4WR3hX4bgciTDrnaneZoJbA19tYKBMrWuA89SbgYAdbMNWmtzrgLhqco/**))
    /0/*,/1/*
    bc1qfagqa83vrv9phj0886rlx6d68zzd7gejtr0ns8xxfeckve27397q6vq47w

    """
  private static let record = """
    {"metadata":{"interchange_format_version":"5",
    "genesis_validators_root":"0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95"},"data":[]}
    """
  /// The standard's example, whose password is not given here.
  private static let keystore = """
    {"crypto": {"kdf": {"function": "pbkdf2", "params": {"dklen": 32, "c": 262144, "prf": "hmac-sha256",
    "salt": "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"}, "message": ""},
    "checksum": {"function": "sha256", "params": {},
    "message": "8a9f5d9912ed7e75ea794bc5a89bca5f193721d30868ade6f73043c6ea6febf1"},
    "cipher": {"function": "aes-128-ctr", "params": {"iv": "264daa3f303d7259501c93d997d84fe6"},
    "message": "cee03fde2af33149775b7223e7845e4fb2c8ae1792e5f99fe9ecf474cc8c16ad"}},
    "description": "", "pubkey":
    "9612d7a727c9d0a22e185a1c768478dfe919cada9266988cb32359c11f2b7b27f4ae4040902382ae2910c15e2b420d07",
    "path": "m/12381/60/0/0", "uuid": "64625def-3331-4eea-ab6f-782f3ed16a83", "version": 4}
    """
  /// One write to MetaMask's database: a vault that nothing opens, and one address.
  private static let log: [UInt8] =
    [0xda, 0xea, 0x08, 0xce, 0x2c, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 4]
    + Array("data".utf8) + [0x98, 2]
    + Array(
      (#"{"KeyringController":{"vault":"{\"data\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","#
        + #"\"iv\":\"AAAAAAAAAAAAAAAAAAAAAA==\","#
        + #"\"salt\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"}"},"#
        + #""PreferencesController":{"identities":{"0x9858effd232b4033e47d90003d41ec34ecaeda94":"#
        + #"{"name":"Account"}}}}"#).utf8)

  static let guides = [
    Guide(
      page: "Electrum",
      files: [(".electrum/wallets/default_wallet", Array(ImportedFiles.electrum.utf8))]),
    Guide(
      page: "Sparrow",
      files: [
        (".sparrow/wallets/savings.mv.db", sparrow + zeros.dropFirst(sparrow.count)),
        ("Documents/savings.bsms", Array(descriptor.utf8)),
      ]),
    Guide(
      page: "BitcoinCore",
      files: [(".bitcoin/wallets/savings/wallet.dat", Array("no database of SQLite".utf8) + zeros)],
      status: 60),
    Guide(
      page: "MetaMask",
      files: [
        (
          ".config/google-chrome/Default/Local Extension Settings/"
            + "nkbihfbeogaeaoehlefnkodbefgpgknn/000003.log", log
        )
      ]),
    Guide(
      page: "Lightning",
      files: [(".lnd/data/chain/bitcoin/mainnet/channel.backup", (0..<200).map { UInt8($0) })]),
    Guide(
      page: "Validators",
      files: [
        ("validator_keys/keystore-m_12381_3600_0_0_0-1700000000.json", Array(keystore.utf8)),
        ("Documents/slashing-protection.json", Array(record.utf8)),
      ]),
    Guide(page: "KeyShares", hasStore: true),
    Guide(
      page: "ComingFrom",
      files: [(".electrum/wallets/default_wallet", Array(ImportedFiles.electrum.utf8))]),
  ]

  /// The indented lines of a page, by whether they are for the new machine.
  private func commands(on page: String) throws -> [(line: String, isOnNewMachine: Bool)] {
    let path = "../Sources/FuekiBackup/FuekiBackup.docc/\(page).md"
    var isNew = false
    let text = String(decoding: try TestVectors.file(path), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("## ") { isNew = line == "## On a new machine" }
      guard line.hasPrefix("    ") else { return nil }
      return (String(line.drop { $0 == " " }), isNew)
    }
  }

  /// Runs a line in a shell; what `init` would ask is given as options.
  private func run(_ line: String, on machine: Machine, _ environment: [String: String]) throws -> RunResult {
    let answers =
      " --target \(machine.target) --target-kind local --add-wallets --no-sign-key "
      + Machine.quick.joined(separator: " ")
    let typed =
      line.replacing("/media/usb", with: machine.target) + (line == "fueki-backup init" ? answers : "")
    let script = "mkdir -p bin && ln -sf \"$1\" bin/fueki-backup && PATH=\"$PWD/bin:$PATH\" && \(typed)"
    return try machine.run([], through: ["/bin/sh", "-c", script, "sh"], environment: environment)
  }

  @Test(arguments: guides) func `a guide's commands work, and the files come back`(_ guide: Guide) throws {
    let machine = try Machine(isPrepared: guide.hasStore)
    if !guide.hasStore { try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass") }
    for file in guide.files { try machine.write(file.bytes, to: "home/\(file.path)") }
    var old = [
      "FUEKI_PASSPHRASE_FILE": machine.path("passphrase"),
      "FUEKI_KEYCHAIN_PASSPHRASE_FILE": machine.path("keychain.pass"),
      "USER": Account.current ?? "root",
    ]
    let new = old.merging(try machine.places(of: "new")) { $1 }
    if !guide.hasStore { old["FUEKI_DATADIR"] = machine.path("no-data") }
    let commands = try commands(on: guide.page)
    #expect(commands.count >= 5)
    for (line, isOnNewMachine) in commands {
      let run = try run(line, on: machine, isOnNewMachine ? new : old)
      let isPartial = line.contains("--files none") || line.contains("--files restored")
      let expected: [Int32] =
        line.hasPrefix("fueki-backup create") ? [0, guide.status] : isPartial ? [0, 3] : [0]
      #expect(expected.contains(run.status), "\(line): \(run.status)\n\(run.text)\n\(run.errors)")
    }
    guard commands.contains(where: { $0.isOnNewMachine && $0.line.contains("--files home") }) else { return }
    for file in guide.files {
      let places = ["new-home/\(file.path)", "new-home/\(file.path).fueki-hold"]
      let place = try #require(places.first(where: machine.exists), "\(file.path)")
      #expect(try machine.read(place) == file.bytes, "\(file.path)")
    }
  }
}
