import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

private func read(_ path: String, _ request: CollectionRequest = CollectionRequest()) throws
  -> ImportedRecords
{
  try CollectorKind(named: "tss-lib").source(at: path).read(request).holdingFiles()
}

/// A share file like tss-lib's, with three parties whose points belong to 2, 3 and 5.
struct ShareFile {
  static let generators = [2, 3, 5].map { point(of: UInt8($0)) }

  var secret = "3"
  var shareID = "100000000000000000000000000000000000000000000000000000000000000000000000000002"
  var ids = (1...3).map {
    "10000000000000000000000000000000000000000000000000000000000000000000000000000\($0)"
  }
  var points = generators
  var group = point(of: 7)
  var modulus = String(repeating: "9", count: 617)
  /// Further members of the Paillier key and of the file.
  var key = ""
  var more = ""

  var text: String {
    """
    {"PaillierSK": {"N": \(modulus)\(key)}, "Xi": \(secret), "ShareID": \(shareID), "Ks": [\(ids.joined(separator: ", "))],
     "BigXj": [\(points.joined(separator: ", "))], "ECDSAPub": \(group)\(more)}
    """
  }

  static func point(of scalar: UInt8) -> String {
    guard let secret = try? SecretBytes(copying: ([UInt8](repeating: 0, count: 31) + [scalar]).span),
      let point = try? CurvePoint.multiplyBase(secret, on: .secp256k1),
      let both = try? CurvePoint.uncompressedSecp256k1(point)
    else { return "null" }
    let (x, y) = (decimal(both[..<32]), decimal(both[32...]))
    return #"{"Curve": "secp256k1", "Coords": [\#(x), \#(y)]}"#
  }

  /// Returns the decimal digits of a big-endian number, by repeated division.
  static func decimal(_ bytes: ArraySlice<UInt8>) -> String {
    var number = Array(bytes)
    var digits: [UInt8] = []
    while number.contains(where: { $0 != 0 }) {
      var rest = 0
      for index in number.indices {
        rest = rest << 8 | Int(number[index])
        number[index] = UInt8(rest / 10)
        rest %= 10
      }
      digits.append(UInt8(rest))
    }
    return digits.reversed().map { "\($0)" }.joined()
  }
}

@Suite struct `Key share files of tss-lib` {
  private func records(_ file: ShareFile) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(Array(file.text.utf8), to: "share.json")
    return try read(folder.path("share.json"))
  }

  @Test func `the file's bytes are the secret, and the rest is described`() throws {
    let file = ShareFile()
    let records = try records(file)
    let share = try #require(records.shares.first)
    let bytes = Array(file.text.utf8)
    #expect(share.secret.bytes.withBytes { ConstantTime.areEqual($0, bytes.span) })
    let descriptor = share.descriptor
    #expect(descriptor.id.count == 16)
    #expect(descriptor.protocol == "gg18-ecdsa" && descriptor.curve == "secp256k1")
    #expect(descriptor.partyIndex == 1 && descriptor.total == 3 && !descriptor.hasThreshold)
    #expect(descriptor.encoding == "tss-lib" && descriptor.name == "share.json")
    #expect(
      Hex.encode(Array(descriptor.ownPublicPoint))
        == "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
    #expect(
      Hex.encode(Array(descriptor.groupPublicKey))
        == "025cbdf0646e5db4eaa398f365f2ea7a0e3d419b7e0330e39ce92bddedcac4f9bc")
    #expect(
      Hex.encode(Array(descriptor.partyID))
        == "dd15fe86affad91249ef0eb713f39ebeaa987b6e6fd2a0000000000000000002")
    #expect(descriptor.points.count == 3 && descriptor.points[1].point == descriptor.ownPublicPoint)
    #expect(descriptor.points[1].partyID == descriptor.partyID)
    #expect(records.problems.isEmpty && records.isComplete)
  }

  @Test func `a share has the same id each time, and each party its own`() throws {
    var other = ShareFile()
    other.shareID = other.ids[2]
    other.secret = "5"
    let id = try records(ShareFile()).shares[0].descriptor.id
    #expect(try records(ShareFile()).shares[0].descriptor.id == id)
    #expect(try records(other).shares[0].descriptor.id != id)
  }

  @Test func `what is wrong with a share is noted, and the share kept`() throws {
    func problems(_ change: (inout ShareFile) -> Void) throws -> [String] {
      var file = ShareFile()
      change(&file)
      let records = try records(file)
      #expect(records.shares.count == 1)
      return records.problems.map(\.problem)
    }
    #expect(try problems { $0.secret = "4" }.contains { $0.contains("does not belong") })
    #expect(try problems { $0.secret = "0" }.contains { $0.contains("is zero") })
    #expect(
      try problems { $0.secret = String(repeating: "9", count: 97) }.contains { $0.contains("320 bits") })
    #expect(try problems { $0.secret = "-3" }.contains { $0.contains("320 bits") })
    #expect(try problems { $0.secret = "3.0" }.contains { $0.contains("320 bits") })
    #expect(try problems { $0.secret = "\"3\"" }.contains { $0.contains("320 bits") })
    #expect(try problems { $0.shareID = "77" }.contains { $0.contains("none of the parties") })
    #expect(try problems { $0.ids[2] = $0.ids[0] }.contains { $0.contains("same id") })
    #expect(try problems { $0.points.removeLast() }.contains { $0.contains("3 parties but 2") })
    #expect(try problems { $0.points[0] = #"{"Coords":[1,1]}"# }.contains { $0.contains("party 0") })
    #expect(try problems { $0.group = #"{"Coords":[1,1]}"# }.contains { $0.contains("group public key") })
    #expect(try problems { $0.group = #"{"Curve":"x","Coords":[1,1]}"# }.contains { $0.contains("curve") })
  }

  /// The order of secp256k1.
  private static let order: [UInt8] =
    [UInt8](repeating: 0xFF, count: 15) + [0xFE] + [
      0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]

  private func verdicts(_ file: ShareFile) throws -> [WalletFinding.Result] {
    let folder = try TemporaryDirectory()
    try folder.write(Array(file.text.utf8), to: "share.json")
    return try read(folder.path("share.json"), .forBackup).findings.map(\.result)
  }

  @Test(arguments: [1, 8]) func `a secret that a resharing left unreduced is the share's`(_ count: Int) throws
  {
    // The values of 7 + 3x. The second party has 13.
    var file = ShareFile()
    (file.ids, file.shareID) = (["1", "2", "3"], "2")
    file.points = [10, 13, 16].map { ShareFile.point(of: $0) }
    func secret(_ rest: UInt8) -> String {
      // The order times a power of 256, and the remainder.
      ShareFile.decimal((Self.order + [UInt8](repeating: 0, count: count - 1) + [rest])[...])
    }
    file.secret = secret(13)
    #expect(try records(file).problems.isEmpty)
    let verdicts = try verdicts(file)
    #expect(verdicts.count == 1 && verdicts.allSatisfy { $0.verdict == "proved" }, "\(verdicts)")
    file.secret = secret(14)
    #expect(try self.verdicts(file) == [.faulty(.secretDiffers)])
    file.secret = ShareFile.decimal(Self.order[...])
    #expect(try records(file).problems.contains { $0.problem.contains("is zero") })
  }

  /// A share with moduli in both places.
  ///
  /// Small primes are handled like large ones.
  private static var withModuli: ShareFile {
    var file = ShareFile()
    let (first, second) = (1_000_000_007, 998_244_353)
    file.modulus = "\(first * second)"
    file.key = ", \"P\": \(first), \"Q\": \(second)"
    file.more = """
      , "NTildei": 77, "H1i": 5, "H2i": 6, "PaillierPKs": [{"N": 15}, {"N": \(file.modulus)}, {"N": 21}],
      "NTildej": [33, 77, 55], "H1j": [1, 5, 2], "H2j": [3, 6, 4]
      """
    return file
  }

  @Test func `moduli that are the party's own are no problem`() throws {
    let file = Self.withModuli
    #expect(try records(file).problems.isEmpty)
    #expect(try verdicts(file) == verdicts(ShareFile()))
  }

  @Test(arguments: [
    ("\"NTildei\": 77", "\"NTildei\": 33", "its NTilde is not"), ("[1, 5, 2]", "[5, 1, 2]", "its H1 is not"),
    ("\"H2i\": 6", "\"H2i\": 7", "its H2 is not"), ("{\"N\": 15}, ", "", "its Paillier key is not the one"),
  ])
  func `moduli that are not the party's own are a fault`(part: String, other: String, problem: String) throws
  {
    var file = Self.withModuli
    let changed = file.more.replacing(part, with: other)
    try #require(changed != file.more)
    file.more = changed
    #expect(try records(file).problems.map(\.problem).contains { $0.contains(problem) })
    #expect(try verdicts(file) == [.faulty(.malformed)])
    // It is also reported if only the public part is requested.
    let folder = try TemporaryDirectory()
    try folder.write(Array(file.text.utf8), to: "a")
    let request = CollectionRequest(selection: try SectionSelection(only: ["profile"], exclude: []))
    #expect(try read(folder.path, request).problems.contains { $0.problem.contains(problem) })
  }

  @Test func `a Paillier key of other primes is a fault`() throws {
    var file = Self.withModuli
    file.key = file.key.replacing("1000000007", with: "1000000009")
    #expect(try records(file).problems.map(\.problem).contains { $0.contains("product of its primes") })
    #expect(try verdicts(file) == [.faulty(.malformed)])
  }

  @Test func `a file that others may read is a problem`() throws {
    let folder = try TemporaryDirectory()
    try folder.open().createFile("share", permissions: 0o644).pwriteAll(Array(ShareFile().text.utf8), at: 0)
    let problems = try read(folder.path).problems
    #expect(problems.map(\.section) == [6] && problems.contains { $0.problem.contains("644") })
  }

  @Test func `a folder gives its shares, and names what is none`() throws {
    let folder = try TemporaryDirectory()
    var second = ShareFile()
    second.shareID = second.ids[0]
    second.secret = "2"
    var refreshed = second
    refreshed.modulus = "1"
    try folder.write(Array(ShareFile().text.utf8), to: "a")
    try folder.write(Array(second.text.utf8), to: "b")
    try folder.write(Array(second.text.utf8), to: "c")
    try folder.write(Array(#"{"Xi":1}"#.utf8), to: "d")
    try folder.write(Array("text".utf8), to: "e")
    var records = try read(folder.path)
    #expect(records.shares.map(\.descriptor.name) == ["a", "b"] && records.isComplete)
    #expect(records.excluded.map(\.what) == ["d", "e", "c", "3 files"])

    try folder.write(Array(refreshed.text.utf8), to: "f")
    records = try read(folder.path)
    #expect(records.shares.count == 2 && !records.isComplete)
    #expect(records.excluded.contains { $0.reason.contains("but another one") })
  }

  @Test func `without its secret a share is only described`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array(ShareFile().text.utf8), to: "a")
    let request = CollectionRequest(selection: try SectionSelection(only: ["profile"], exclude: []))
    let records = try read(folder.path, request)
    #expect(records.shares.isEmpty && records.descriptors.count == 1 && records.isComplete)
  }

  @Test func `no cut and no changed byte stops the reader`() throws {
    var file = ShareFile()
    file.modulus = "123"
    let whole = Array(file.text.utf8)
    let folder = try TemporaryDirectory()
    let handle = try folder.open().createFile("share")
    for end in 1..<whole.count {
      try handle.truncate(to: 0)
      try handle.pwriteAll(Array(whole[..<end]), at: 0)
      #expect(try read(folder.path).shares.isEmpty)
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1 << UInt8(index % 7)
      try handle.truncate(to: 0)
      try handle.pwriteAll(changed, at: 0)
      _ = try read(folder.path)
    }
  }
}

@Suite struct `Key shares of other programs` {
  @Test(.enabled(if: Fixtures.folder("tss-lib") != nil, "the fixtures are not here"))
  func `five ECDSA shares belong to one key and its address`() throws {
    let records = try read(try #require(Fixtures.folder("tss-lib")))
    let descriptors = records.shares.map(\.descriptor)
    #expect(descriptors.map(\.partyIndex) == [0, 1, 2, 3, 4] && descriptors.allSatisfy { $0.total == 5 })
    #expect(Set(descriptors.map(\.groupPublicKey)).count == 1 && Set(descriptors.map(\.id)).count == 5)
    #expect(Set(descriptors.map { $0.points.map(\.point) }).count == 1)
    for descriptor in descriptors {
      #expect(descriptor.points[Int(descriptor.partyIndex)].point == descriptor.ownPublicPoint)
    }
    let key = try CurvePoint.uncompressedSecp256k1(Array(descriptors[0].groupPublicKey))
    let address = EVMAddress(bytes: Array(Keccak256.hash(key.span).bytes.suffix(20)))
    #expect(address?.description.lowercased() == "0xde9804c59087830c3cf672a038bae52fa991c5be")
    #expect(records.problems.allSatisfy { $0.problem.contains("others than its owner") })
    #expect(records.excluded.map(\.what) == ["README.md", "5 files"] && records.isComplete)
    for share in records.shares {
      let original = try Fixtures.file("tss-lib/\(share.descriptor.name)")
      #expect(share.secret.bytes.withBytes { ConstantTime.areEqual($0, original.span) })
    }
  }

  @Test(.enabled(if: Fixtures.folder("tss-lib-eddsa") != nil, "the fixtures are not here"))
  func `five EdDSA shares belong to one key`() throws {
    let records = try read(try #require(Fixtures.folder("tss-lib-eddsa")))
    let descriptors = records.shares.map(\.descriptor)
    #expect(descriptors.map(\.partyIndex) == [0, 1, 2, 3, 4])
    #expect(descriptors.allSatisfy { $0.protocol == "gg18-eddsa" && $0.curve == "ed25519" })
    #expect(Set(descriptors.map(\.groupPublicKey)).count == 1)
    #expect(descriptors.allSatisfy { $0.groupPublicKey.count == 32 && $0.points.count == 5 })
    #expect(records.problems.allSatisfy { $0.problem.contains("others than its owner") })
  }
}
