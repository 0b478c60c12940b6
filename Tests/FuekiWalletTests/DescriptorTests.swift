import FuekiCrypto
import FuekiWallet
import Testing

struct DescriptorTests {
  @Test(arguments: BIP380Vectors.scripts)
  func `the scripts of BIP-381 to BIP-386`(_ text: String, _ scripts: [String]) throws {
    let descriptor = try Descriptor(parsing: text)
    #expect(descriptor.expression == text)
    #expect(descriptor.isRanged == (scripts.count > 1))
    for (index, script) in scripts.enumerated() {
      #expect(try Hex.encode(descriptor.scriptPubKey(at: UInt32(index))) == script)
    }
    #expect(throws: DescriptorError.noSuchBranch) { try descriptor.scriptPubKey(at: 0, branch: 1) }
  }

  @Test(arguments: BIP380Vectors.multipaths)
  func `the steps of several numbers of BIP-389`(_ text: String, _ expected: [String]) throws {
    let descriptor = try Descriptor(parsing: text)
    let branches = try descriptor.branches()
    #expect(branches.map(\.expression) == expected)
    #expect(descriptor.branchCount == expected.count)
    for (branch, single) in branches.enumerated() {
      #expect(try single.scriptPubKey(at: 7) == descriptor.scriptPubKey(at: 7, branch: branch))
      #expect(single.branchCount == 1)
    }
  }

  private static let key = BIP380Vectors.key
  private static let uncompressed = BIP380Vectors.uncompressedKey
  private static let extended = BIP380Vectors.topKey
  private static let xprv =
    "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U"

  @Test(
    arguments: [
      // BIP-381
      ("pk(pk(\(key)))", .invalidKey), ("pkh(pk(\(key)))", .invalidKey), ("sh(\(key))", .syntax),
      ("sh(sh(pkh(\(key))))", .misplaced(name: "sh")),
      // BIP-382
      ("wpkh(5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss)", .privateKey),
      ("wpkh(\(uncompressed))", .uncompressedKey), ("sh(wpkh(\(uncompressed)))", .uncompressedKey),
      ("wsh(pk(\(uncompressed)))", .uncompressedKey), ("wsh(wpkh(\(key)))", .misplaced(name: "wpkh")),
      ("wsh(wsh(pkh(\(key))))", .misplaced(name: "wsh")),
      ("sh(wsh(wsh(pkh(\(key)))))", .misplaced(name: "wsh")), ("wpkh(wsh(pkh(\(key))))", .invalidKey),
      ("wsh(\(key))", .syntax),
      // BIP-383
      ("sh(multi(16,\(BIP380Vectors.sixteenKeys)))", .invalidThreshold),
      ("multi(a,\(key),\(uncompressed))", .invalidThreshold),
      ("multi(0,\(key),\(uncompressed))", .invalidThreshold),
      ("multi(3,\(key),\(uncompressed))", .invalidThreshold), ("multi(+1,\(key))", .invalidThreshold),
      ("multi(1)", .invalidThreshold), ("multi(1,\(key),\(key),\(key),\(key))", .invalidThreshold),
      // BIP-385
      ("raw(asdf)", .invalidScript), ("addr(asdf)", .address(.wrongLength)),
      ("sh(raw(deadbeef))", .misplaced(name: "raw")), ("wsh(raw(deadbeef))", .misplaced(name: "raw")),
      ("sh(addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j))", .misplaced(name: "addr")),
      ("wsh(addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j))", .misplaced(name: "addr")),
      // BIP-386
      ("tr(\(uncompressed))", .uncompressedKey), ("wsh(tr(\(key)))", .misplaced(name: "tr")),
      ("sh(tr(\(key)))", .misplaced(name: "tr")), ("tr(\(key),pkh(\(key)))", .misplaced(name: "pkh")),
      ("tr(\(key), pkh(\(key)))", .syntax), ("tr(\(key),{pk(\(key))})", .syntax),
      ("tr(\(key),pk(\(key)),1)", .syntax),
      ("wpkh(\(BIP380Vectors.xOnlyKey))", .invalidKey),
      // BIP-389
      ("pkh(\(extended)/<0;1>/<2;3>)", .invalidMultipath),
      ("pkh([deadbeef/<0;1>]\(extended)/0)", .invalidOrigin),
      (
        "tr(\(extended)/<6;7;8;9>/*,{pk(\(extended)/<1;2;3>/0/*),pk(\(extended)/0/0/<3;4;5>/*)})",
        .invalidMultipath
      ), ("sh(multi(2,\(extended)/<1;2;3>/0/*,\(extended)/0/*,\(extended)/0/0/<3;4>/*))", .invalidMultipath),
      ("wpkh(\(extended)/<>/*)", .invalidMultipath), ("wpkh(\(extended)/0>/*)", .invalidMultipath),
      ("wpkh(\(extended)/<0/*)", .invalidMultipath), ("wpkh(\(extended)/<0;>/*)", .invalidMultipath),
      ("wpkh(\(extended)/<0;0>/*)", .invalidMultipath), ("wpkh(\(extended)/<0>/*)", .invalidMultipath),
      ("pkh(\(xprv)/<2147483647h;0>/0)", .privateKey),
      // Others
      ("", .syntax), ("pkh", .syntax), ("pkh(\(key)", .syntax), ("pkh\(key))", .syntax),
      ("pkh(\(key)))", .syntax),
      ("pkh(\(key),\(key))", .syntax), ("pkh()", .invalidKey), ("(\(key))", .syntax),
      ("combo(\(key))", .unsupported(name: "combo")),
      ("wsh(and_v(v:pk(\(key)),older(1)))", .unsupported(name: "and_v")),
      ("tr(\(key),multi_a(1,\(key)))", .unsupported(name: "multi_a")),
      ("pkh(02\(String(repeating: "0", count: 62))07)", .invalidKey),
      (
        "pkh(zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs)",
        .invalidKey
      ), ("wpkh(\(String(repeating: "0", count: 20_000)))", .tooLong), ("pkh(e\u{301})", .invalidCharacter),
      ("pkh(\(key))\n", .invalidCharacter),
    ] as [(String, DescriptorError)])
  func `what is no descriptor`(_ text: String, _ error: DescriptorError) {
    #expect(throws: error) { try Descriptor(parsing: text) }
  }

  @Test func `deep brackets`() {
    let depth = 2000
    let tree = String(repeating: "{", count: depth) + String(repeating: "}", count: depth)
    #expect(throws: DescriptorError.syntax) { try Descriptor(parsing: "tr(\(Self.key),\(tree))") }
    var pairs = "pk(\(BIP380Vectors.xOnlyKey))"
    for _ in 0..<130 { pairs = "{\(pairs),pk(\(BIP380Vectors.xOnlyKey))}" }
    #expect(throws: DescriptorError.syntax) { try Descriptor(parsing: "tr(\(Self.key),\(pairs))") }
  }

  // BIP-380's key expressions. Those with private keys are refused.
  @Test(
    arguments: [
      (BIP380Vectors.otherKey, nil), (uncompressed, nil),
      ("[deadbeef/0h/0h/0h]\(BIP380Vectors.otherKey)", nil),
      ("[deadbeef/0'/0'/0']\(BIP380Vectors.otherKey)", nil),
      ("[deadbeef/0'/0h/0']\(BIP380Vectors.otherKey)", nil),
      ("5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss", .privateKey),
      ("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1", .privateKey), (extended, nil),
      ("[deadbeef/0h/1h/2h]\(extended)", nil), ("[deadbeef/0h/1h/2h]\(extended)/3/4/5", nil),
      ("[deadbeef/0h/1h/2h]\(extended)/3/4/5/*", nil), ("\(extended)/3h/4h/5h/*", .hardenedStep),
      ("\(extended)/3h/4h/5h/*h", .hardenedStep), ("\(extended)/3/4/5/*h", .hardenedStep),
      ("[deadbeef/0h/1h/2]\(extended)/3h/4h/5h/*h", .hardenedStep), (xprv, .privateKey),
      ("[deadbeef/0h/1h/2h]\(xprv)/3h/4h/5h/*h", .privateKey),
      ("[deadbeef/0h/0h/0h/*]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[deadbeef/0h/0h/0h/]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[deadbef/0h/0h/0h]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[deadbeeef/0h/0h/0h]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[deadbeef/0f/0f/0f]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[deadbeef/-0/-0/-0]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[deadbeef/0H/0H/0H]\(BIP380Vectors.otherKey)", .invalidOrigin),
      ("[+eadbeef]\(BIP380Vectors.otherKey)", .invalidOrigin), ("\(extended)/3H/4", .invalidStep),
      ("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1/0", .privateKey), ("\(key)/0", .invalidStep),
      ("\(extended)/2147483648", .invalidStep), ("\(extended)/1aa", .invalidStep),
      ("\(extended)/", .invalidStep),
      ("\(extended)/*/0", .invalidStep), ("[aaaaaaaa][aaaaaaaa]\(extended)/0", .invalidKey),
      ("aaaaaaaa]\(extended)/0", .invalidKey), ("[gaaaaaaa]\(extended)/0", .invalidOrigin),
      ("[deadbeef]", .invalidKey),
    ] as [(String, DescriptorError?)])
  func `the key expressions of BIP-380`(_ text: String, _ error: DescriptorError?) throws {
    if let error {
      #expect(throws: error) { try Descriptor(parsing: "pkh(\(text))") }
    } else {
      #expect(try Descriptor(parsing: "pkh(\(text))").expression == "pkh(\(text))")
    }
  }

  @Test(
    arguments: [
      ("raw(deadbeef)#89f8spxm", nil), ("raw(deadbeef)", nil), ("raw(deadbeef)#", .noChecksum),
      ("raw(deadbeef)#89f8spxmx", .noChecksum), ("raw(deadbeef)#89f8spx", .noChecksum),
      ("raw(deedbeef)#89f8spxm", .wrongChecksum), ("raw(deedbeef)##9f8spxm", .noChecksum),
      ("raw(Ü)#00000000", .invalidCharacter),
    ] as [(String, DescriptorError?)])
  func `the checksums of BIP-380`(_ text: String, _ error: DescriptorError?) throws {
    if let error {
      #expect(throws: error) { try Descriptor(parsing: text) }
    } else {
      #expect(try Descriptor(parsing: text).description == "raw(deadbeef)#89f8spxm")
    }
  }

  @Test func `every wrong character is found by the checksum`() throws {
    let text = try Descriptor(parsing: "wpkh(\(Self.extended)/<0;1>/*)").description
    for place in text.indices where text[place] != "#" {
      var changed = text
      changed.replaceSubrange(place...place, with: text[place] == "q" ? "p" : "q")
      #expect(throws: DescriptorError.wrongChecksum) { try Descriptor(parsing: changed) }
    }
  }

  @Test func `an index beyond those that there are`() throws {
    let descriptor = try Descriptor(parsing: "wpkh(\(Self.extended)/*)")
    _ = try descriptor.scriptPubKey(at: 1 << 31 - 1)
    #expect(throws: DescriptorError.noSuchIndex) { try descriptor.scriptPubKey(at: 1 << 31) }
  }
}
