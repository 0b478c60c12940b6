import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// A keystore with every public member valid by its definition.
private let sound =
  #"{"address":"7ef5a6135f1fd6a02593eedc869c6d41d934aef8","crypto":{"cipher":"aes-128-ctr","#
  + #""ciphertext":"1d0839166e7a15b9c1333fc865d69858b22df26815ccf601b28219b6192974e1","#
  + #""cipherparams":{"iv":"8df6caa7ff1b00c4e871f002cb7921ed"},"kdf":"scrypt","kdfparams":{"dklen":32,"n":8,"#
  + #""p":16,"r":8,"salt":"e5e6ef3f4ea695f496b643ebd3f75c0aa58ef4070e90c80c5d3fb0241bf1595c"},"#
  + #""mac":"6d16dfde774845e4585357f24bce530528bc69f4f84e1e22880d34fa45c273e5"},"#
  + #""id":"950077c7-71e3-4c44-a4a1-143919141ed4","version":3}"#

private func read(_ path: String, _ request: CollectionRequest = CollectionRequest()) throws
  -> ImportedRecords
{
  try CollectorKind(named: "keystore").source(at: path).read(request).holdingFiles()
}

private func reasons(_ records: ImportedRecords) -> [String: String] {
  Dictionary(records.excluded.map { ($0.what, $0.reason) }) { $1 }
}

@Suite struct `Keystore folders` {
  @Test func `files are kept byte for byte, with address and key derivation`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(sound.utf8), to: "b")
    let pbkdf2 = sound.replacing("scrypt", with: "pbkdf2").replacing(
      #""n":8,"p":16,"r":8"#, with: #""c":262144,"prf":"hmac-sha256""#)
    try folder.write(Array("  \(pbkdf2)\n".utf8), to: "a")
    let records = try read(folder.path)
    #expect(records.files.map { Array($0.content) } == [Array("  \(pbkdf2)\n".utf8), Array(sound.utf8)])
    #expect(records.files.map(\.kdf) == ["pbkdf2", "scrypt"])
    #expect(
      records.files.map { PackedText.text($0.address) }
        == Array(
          repeating: "0x7EF5A6135f1FD6a02593eEdC869c6D41D934aef8", count: 2))
    #expect(records.files.map { Array($0.path) } == [Array("a".utf8), Array("b".utf8)])
    #expect(records.files.allSatisfy { $0.id.count == 16 && $0.offset == 0 && $0.total == $0.content.count })
    #expect(records.files.allSatisfy { $0.format == "web3-secret-storage-v3" && $0.mode == 0o600 })
    #expect(records.problems.isEmpty && records.excluded.isEmpty && records.isComplete)
    let report = records.report(source: "keystore:x")
    #expect(report.complete)
    #expect(report.included.map(\.section) == [8] && report.included.map(\.records) == [2])
  }

  @Test func `the same file has the same id, and another has another`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(sound.utf8), to: "a")
    try folder.write(Array(sound.utf8), to: "b")
    let ids = try read(folder.path).files.map(\.id)
    #expect(try read(folder.path).files.map(\.id) == ids)
    #expect(Set(ids).count == 2)
  }

  @Test func `one file may be named instead of its folder, also through a link`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(sound.utf8), to: "key")
    #expect(try read(folder.path("key")).files.map { Array($0.path) } == [Array("key".utf8)])
    #expect(throws: SystemError.self) { try read(folder.path("nothing")) }
  }

  @Test func `a name that is not UTF-8 is kept as bytes`() throws {
    let folder = try TemporaryDirectory()
    let name: [UInt8] = [0x6B, 0xFF, 0x1B]
    try folder.open().createFile(name).pwriteAll(Array(sound.utf8), at: 0)
    #expect(try read(folder.path).files.map { Array($0.path) } == [name])
    try folder.open().createFile(name + [0x32]).pwriteAll([0x7B], at: 0)
    #expect(try reasons(read(folder.path)).keys.contains("k\\xff\\x1b2"))
  }

  @Test func `what is no keystore is kept all the same, and named with its reason`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(sound.utf8), to: "key")
    try folder.write(Array(sound.utf8), to: ".hidden")
    try folder.write(Array(sound.utf8), to: "key~")
    try folder.write([], to: "empty")
    try folder.write(Array("The password is foobar.".utf8), to: "README")
    try folder.write(Array(#"{"a":1}"#.utf8), to: "other.json")
    try folder.write([UInt8](repeating: 0x20, count: 1 << 20 + 1), to: "long")
    var records = try read(folder.path, .wholeBackup)
    #expect(records.findings.count == 1 && records.isComplete)
    #expect(
      Set(records.excluded.map(\.what)) == [".hidden", "key~", "empty", "README", "other.json", "long"])
    #expect(records.excluded.allSatisfy { $0.isKeptUnread }, "\(records.excluded)")
    let kept = records.files.map { [UInt8]($0.path) } + records.secretFiles.map(\.path)
    #expect(Set(kept.map { String(decoding: $0, as: UTF8.self) }).count == 7)

    try folder.open().makeDirectory("old")
    #expect(try read(folder.path, .wholeBackup).isComplete)
    try folder.open().openDirectory("old").createFile("key").pwriteAll(Array(sound.utf8), at: 0)
    records = try read(folder.path, .wholeBackup)
    #expect(!records.isComplete && reasons(records)["old"] != nil)
  }

  @Test(arguments: ["4", "\"4\"", "0"])
  func `another version may hold a key, so it is kept and not sound`(version: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(sound.utf8), to: "key")
    try folder.write(
      Array(sound.replacing(#""version":3"#, with: "\"version\":\(version)").utf8), to: "other")
    let records = try read(folder.path, .wholeBackup)
    #expect(records.findings.map(\.isFaulty) == [false, true])
    #expect(records.problems.contains { $0.problem.contains("version") })
  }

  @Test func `a symbolic link is not followed`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(sound.utf8), to: "key")
    let link = try BuiltBinary.run(program: "/bin/ln", ["-s", "key", folder.path("link")])
    try #require(link.status == 0)
    let records = try read(folder.path)
    #expect(records.files.count == 1 && !records.isComplete)
    #expect(reasons(records)["link"]?.contains("symbolic link") == true)
  }

  @Test(arguments: [
    (#""address":"7ef5a6135f1fd6a02593eedc869c6d41d934aef8","#, "", "no address"),
    ("7ef5a6135f1fd6a02593eedc869c6d41d934aef8", "7ef5", "40 hexadecimal digits"),
    ("7ef5a6135f1fd6a02593eedc869c6d41d934aef8", String(repeating: "0", count: 40), "zero"),
    ("aes-128-ctr", "aes-128-cbc", "cipher"), ("8df6caa7", "8df6", "iv"),
    ("\"n\":8", "\"n\":7", "power of two"),
    ("\"n\":8", "\"n\":1e3", "power of two"), ("\"dklen\":32", "\"dklen\":16", "derived key"),
    ("\"salt\":\"e5e6", "\"salt\":\"e5e", "salt"), ("6d16dfde", "", "mac"),
    ("1d0839166e", "1d08zz166e", "ciphertext"),
    ("scrypt", "argon2", "neither"), ("\"version\":3", "\"version\":\"3\"", "version"),
    (",\"version\":3", "", "version"), ("\"version\":3}", "\"version\":3", "damaged"),
    ("\"version\":3}", "\"version\":3,\"version\":3}", "damaged"), ("\"mac\"", "\"mac", "damaged"),
  ])
  func `a broken keystore is kept, and its problem is noted`(part: String, by other: String, problem: String)
    throws
  {
    let folder = try TemporaryDirectory()
    let text = sound.replacing(part, with: other)
    try #require(text != sound)
    try folder.write(Array(text.utf8), to: "key")
    let records = try read(folder.path)
    #expect(records.files.map { Array($0.content) } == [Array(text.utf8)])
    #expect(records.problems.contains { $0.problem.contains(problem) && $0.id == records.files[0].id })
    #expect(records.isComplete)
  }

  @Test func `a file with geth's name is kept whatever became of it`() throws {
    let folder = try TemporaryDirectory()
    let name = "UTC--2016-03-22T12-57-55.920751759Z--7ef5a6135f1fd6a02593eedc869c6d41d934aef8"
    try folder.write([0, 1, 2], to: name)
    let records = try read(folder.path, .wholeBackup)
    #expect(records.secretFiles.count == 1 && records.problems.count == 1)
  }

  @Test func `a folder without any keystore is not complete`() throws {
    let folder = try TemporaryDirectory()
    let records = try read(folder.path)
    #expect(!records.isComplete && records.excluded.count == 1)
  }

  @Test func `a presale wallet and a keystore of version 1 are kept, and not proved`() throws {
    let folder = try TemporaryDirectory()
    let presale = #"{"encseed":"00ff","ethaddr":"7ef5a6135f1fd6a02593eedc869c6d41d934aef8","bkp":"aa"}"#
    let first =
      #"{"address":"7ef5a6135f1fd6a02593eedc869c6d41d934aef8","Crypto":{"version":"1"},"version":"1"}"#
    try folder.write(Array(presale.utf8), to: "ethwallet.json")
    try folder.write(Array(first.utf8), to: "old")
    var request = CollectionRequest()
    request.isForBackup = true
    let records = try read(folder.path, request)
    #expect(records.files.map(\.format) == ["ethereum-presale", "web3-secret-storage-v1"])
    #expect(records.findings.map(\.result) == [.notProved(.notRead), .notProved(.notRead)])
    #expect(
      records.findings.allSatisfy { $0.detail == "0x7EF5A6135f1FD6a02593eEdC869c6D41D934aef8" },
      "\(records.findings)")
    #expect(
      records.isComplete
        && records.files.map { Array($0.content) } == [presale, first].map { Array($0.utf8) })
  }

  @Test func `no cut and no changed byte stops the reader`() throws {
    let whole = Array(sound.utf8)
    let folder = try TemporaryDirectory()
    let file = try folder.open().createFile("key")
    for end in stride(from: 1, to: whole.count, by: 1) {
      try file.truncate(to: 0)
      try file.pwriteAll(Array(whole[..<end]), at: 0)
      let records = try read(folder.path)
      #expect(records.files.isEmpty || !records.problems.isEmpty)
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1 << UInt8(index % 8)
      try file.truncate(to: 0)
      try file.pwriteAll(changed, at: 0)
      #expect(try read(folder.path).files.allSatisfy { Array($0.content) == changed })
    }
  }
}

@Suite struct `Keystores of other programs` {
  @Test(.enabled(if: Fixtures.folder("eip-keystore-v3-geth") != nil, "the fixtures are not here"))
  func `geth's own folder gives the three good files and names the rest`() throws {
    let folder = try #require(Fixtures.folder("eip-keystore-v3-geth")) + "/keystore"
    let records = try read(folder)
    let kept = records.files.map { String(decoding: $0.path, as: UTF8.self) }
    #expect(
      kept == [
        "UTC--2016-03-22T12-57-55.920751759Z--7ef5a6135f1fd6a02593eedc869c6d41d934aef8", "aaa", "no-address",
        "zero",
        "zzz",
      ])
    #expect(Set(reasons(records).keys) == [".hiddenfile", "README", "empty", "foo", "garbage"])
    #expect(records.problems.count == 2)
    for file in records.files {
      let original = try Fixtures.file(
        "eip-keystore-v3-geth/keystore/\(String(decoding: file.path, as: UTF8.self))")
      #expect(Array(file.content) == original)
    }
    #expect(!records.isComplete)
  }

  @Test(.enabled(if: Fixtures.folder("eip-keystore-v3-geth") != nil, "the fixtures are not here"))
  func `version 1 is kept and not proved`() throws {
    let folder = try #require(Fixtures.folder("eip-keystore-v3-geth"))
    let records = try read(folder + "/v1/cb61d5a9c4896fb9658090b597ef0e7be6f7b67e")
    #expect(records.files.map(\.format) == ["web3-secret-storage-v1"] && records.isComplete)
    #expect(
      records.files.map { PackedText.text($0.address)?.lowercased() } == [
        "0xcb61d5a9c4896fb9658090b597ef0e7be6f7b67e"
      ])
  }

  @Test(.enabled(if: Fixtures.folder("live") != nil, "the fixtures are not here"))
  func `files of eth-account are read`() throws {
    let records = try read(try #require(Fixtures.folder("live")) + "/eth-account")
    #expect(
      records.files.map { PackedText.text($0.address) } == [
        "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      ])
    #expect(records.files.map(\.kdf) == ["scrypt", "pbkdf2", "scrypt"])
    #expect(records.problems.isEmpty && reasons(records).keys.sorted() == ["expected.json"])
  }

  @Test func `every vector of version 3 is sound`() throws {
    let vectors = try JSONDocument(try Published.file("keystore-v3.json"), limit: 1 << 20)
    #expect(Array(vectors.root.children).count == 5)
    for vector in vectors.root.children {
      let folder = try TemporaryDirectory()
      try folder.write(Array(try #require(vector.member("json")).sourceBytes), to: "vector")
      let records = try read(folder.path)
      #expect(records.files.count == 1)
      #expect(records.problems.allSatisfy { $0.problem.contains("no address") }, "\(vector.name)")
    }
  }
}
