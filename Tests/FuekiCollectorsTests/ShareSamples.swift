import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport

/// Key shares of a public polynomial: coefficient k is `base + k`, and party i's x is i.
struct SamplePolynomial {
  let curve: Curve
  let threshold: Int
  var base: UInt8 = 77

  /// Returns the value at a place, 32 bytes big-endian.
  func value(_ x: UInt8) -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: 32)
    for power in (0..<threshold).reversed() {
      var carry = Int(base) + power
      for index in sum.indices.reversed() {
        carry += Int(sum[index]) * Int(x)
        sum[index] = UInt8(carry & 255)
        carry >>= 8
      }
    }
    return sum
  }

  func point(_ x: UInt8) throws -> [UInt8] { try Self.point(of: value(x), on: curve) }

  var key: [UInt8] { get throws { try point(0) } }

  static func point(of scalar: [UInt8], on curve: Curve) throws -> [UInt8] {
    try CurvePoint.multiplyBase(SecretBytes(copying: scalar.span), on: curve)
  }
}

/// Returns a small number as 32 bytes.
func padded(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [number] }

/// A Protocol Buffers message, built field by field.
struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: UInt8, _ value: UInt64) { bytes += [number << 3] + Self.varint(value) }

  mutating func add(_ number: UInt8, _ content: [UInt8]) {
    bytes += [number << 3 | 2] + Self.varint(UInt64(content.count)) + content
  }

  mutating func add(_ number: UInt8, _ text: String) { add(number, Array(text.utf8)) }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var (rest, bytes) = (value, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}

/// Returns the DKLS keyshare of one party, with zeros as seeds.
func dklsKeyshare(_ polynomial: SamplePolynomial, own: UInt8, total: UInt8, extra: [UInt8] = []) throws
  -> [UInt8]
{
  var bytes: [UInt8] = [0, 0, 0, 1, 0, 0, 0, UInt8(extra.count), total, UInt8(polynomial.threshold), own]
  bytes += [UInt8](repeating: 5, count: 32) + [UInt8](repeating: 0xCC, count: 32)
  bytes += try polynomial.key + [UInt8](repeating: 6, count: 32) + polynomial.value(own + 1)
  for party in 1...total {
    bytes += try [0] + polynomial.point(party) + padded(party) + [UInt8](repeating: 7, count: 32)
  }
  return bytes + [UInt8](repeating: 0, count: 65_600 * Int(total - 1)) + extra
}

/// Returns the Schnorr keyshare of one party.
func schnorrKeyshare(_ polynomial: SamplePolynomial, own: UInt8, total: UInt8) throws -> [UInt8] {
  var bytes: [UInt8] = [total, UInt8(polynomial.threshold), own]
  bytes += polynomial.value(own + 1).reversed()
  bytes += try polynomial.key + [UInt8](repeating: 8, count: 32) + [0] + [UInt8](repeating: 9, count: 32)
  return bytes
}

/// A Vultisig vault as exported by one of its devices.
struct SampleVault {
  var name = "Made vault"
  var ecdsa = SamplePolynomial(curve: .secp256k1, threshold: 2)
  var eddsa = SamplePolynomial(curve: .ed25519, threshold: 2)
  var own: UInt8 = 0
  var total: UInt8 = 2
  var signers = ["Phone-1", "Laptop-2"]
  var localParty = "Phone-1"
  var chainCode = String(repeating: "cc", count: 32)
  /// Texts that replace a share, by the share's index.
  var replaced: [Int: String] = [:]
  var more: [(key: String, share: String)] = []
  /// The origin of the keys: 2 is a seed phrase.
  var library: UInt64 = 1
  var chains: [(chain: String, key: String)] = []

  func shares() throws -> [(key: String, share: String)] {
    let first = try Data(dklsKeyshare(ecdsa, own: own, total: total)).base64EncodedString()
    let second = try Data(schnorrKeyshare(eddsa, own: own, total: total)).base64EncodedString()
    return try [
      (Hex.encode(ecdsa.key), replaced[0] ?? first), (Hex.encode(eddsa.key), replaced[1] ?? second),
    ] + more
  }

  func message() throws -> [UInt8] {
    var vault = ProtobufMessage()
    vault.add(1, name)
    vault.add(2, Hex.encode(try ecdsa.key))
    vault.add(3, Hex.encode(try eddsa.key))
    for signer in signers { vault.add(4, signer) }
    vault.add(6, chainCode)
    for share in try shares() {
      var entry = ProtobufMessage()
      entry.add(1, share.key)
      entry.add(2, share.share)
      vault.add(7, entry.bytes)
    }
    vault.add(8, localParty)
    vault.add(10, library)
    for chain in chains {
      var entry = ProtobufMessage()
      entry.add(1, chain.key)
      entry.add(2, chain.chain)
      vault.add(11, entry.bytes)
    }
    // Unknown fields.
    vault.add(15, "later")
    return vault.bytes
  }

  /// Returns the file, with the vault plain or encrypted.
  static func file(_ vault: [UInt8], isEncrypted: Bool = false) -> [UInt8] {
    var container = ProtobufMessage()
    container.add(1, 1)
    container.add(2, Data(vault).base64EncodedString())
    if isEncrypted { container.add(3, 1) }
    return Array(Data(container.bytes).base64EncodedString().utf8)
  }

  func file() throws -> [UInt8] { Self.file(try message()) }
}

extension CollectionRequest {
  /// A request for everything, including files with unencrypted secrets, as in `create --from`.
  static var withSecrets: CollectionRequest {
    var request = CollectionRequest()
    request.includesPrivateKeys = true
    return request
  }
}

extension ImportedRecords {
  /// Each finding as a line.
  var verdicts: [String] { findings.map { "\($0.result.verdict) \($0.result.reason)" } }
}

extension CollectorKind {
  /// Reads bytes as a file of a kind.
  static func read(
    _ kind: String, _ bytes: [UInt8], named name: String = "sample", passphrase: SourcePassphrase? = nil
  ) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: name)
    return try CollectorKind(named: kind).source(at: folder.path(name), passphrase: passphrase)
      .read(.withSecrets).holdingFiles()
  }

  /// Reads several files of a kind from one directory.
  static func read(_ kind: String, _ files: [(name: String, bytes: [UInt8])]) throws -> ImportedRecords {
    let folder = try TemporaryDirectory()
    for file in files { try folder.write(file.bytes, to: file.name) }
    return try CollectorKind(named: kind).source(at: folder.path).read(.withSecrets).holdingFiles()
  }
}

/// AES-256-GCM, sealed by another program.
enum GCM {
  private static let python = "/usr/bin/python3"

  static func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) throws -> [UInt8] {
    let script = """
      import sys
      from cryptography.hazmat.primitives.ciphers.aead import AESGCM
      key, nonce = bytes.fromhex(sys.argv[1]), bytes.fromhex(sys.argv[2])
      sealed = AESGCM(key).encrypt(nonce, open(sys.argv[3], "rb").read(), None)
      open(sys.argv[4], "wb").write(nonce + sealed)
      """
    let folder = try TemporaryDirectory()
    try folder.write(plain, to: "plain")
    let run = try BuiltBinary.run(
      program: python,
      ["-c", script, Hex.encode(key), Hex.encode(nonce), folder.path("plain"), folder.path("sealed")])
    guard run.status == 0 else { throw CryptoError.unavailable }
    return try File.open(folder.path("sealed")).readAll(limit: 1 << 24)
  }
}
