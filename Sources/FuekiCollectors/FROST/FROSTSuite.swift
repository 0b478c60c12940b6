internal import FuekiCrypto

/// The ciphersuites of the Zcash Foundation's FROST, by their names in files.
struct FROSTSuite: Sendable {
  let name: String
  /// Nil for an unsupported group.
  let curve: Curve?
  /// The group's name in descriptors.
  let curveName: String
  let scalarByteCount: Int
  let pointByteCount: Int
  let isLittleEndian: Bool
  /// The prefix of a serialised package: the CRC-32 of the name.
  let mark: [UInt8]

  static let all: [FROSTSuite] = [
    FROSTSuite("FROST-ED25519-SHA512-v1", .ed25519, [0xB1, 0x69, 0xF0, 0xDA]),
    FROSTSuite("FROST-secp256k1-SHA256-v1", .secp256k1, [0xEE, 0xD6, 0xB1, 0xB1]),
    FROSTSuite("FROST-secp256k1-SHA256-TR-v1", .secp256k1, [0x23, 0x0F, 0x8A, 0xB3]),
    FROSTSuite("FROST-P256-SHA256-v1", .p256, [0xA1, 0x32, 0xF0, 0xC9]),
    FROSTSuite("FROST-RISTRETTO255-SHA512-v1", .ristretto255, [0xD7, 0x6E, 0xCF, 0xF5]),
    FROSTSuite("FROST-ED448-SHAKE256-v1", "ed448", 57, 57, [0x5A, 0x06, 0x4C, 0xFD]),
    FROSTSuite("FROST(Pallas, BLAKE2b-512)", "pallas", 32, 32, [0xFF, 0xBD, 0xAB, 0xD2]),
    FROSTSuite("FROST(Jubjub, BLAKE2b-512)", "jubjub", 32, 32, [0xC3, 0xD2, 0x05, 0x1E]),
  ]

  private init(_ name: String, _ curve: Curve, _ mark: [UInt8]) {
    self.name = name
    self.curve = curve
    curveName = curve.rawValue
    scalarByteCount = Curve.scalarByteCount
    pointByteCount = curve.compressedByteCount
    isLittleEndian = curve == .ed25519 || curve == .ristretto255
    self.mark = mark
  }

  private init(_ name: String, _ curveName: String, _ scalar: Int, _ point: Int, _ mark: [UInt8]) {
    self.name = name
    curve = nil
    self.curveName = curveName
    (scalarByteCount, pointByteCount) = (scalar, point)
    isLittleEndian = true
    self.mark = mark
  }

  /// The suites' names in the libraries of 2023.
  private static let older = [
    "FROST(Ed25519, SHA-512)": "FROST-ED25519-SHA512-v1",
    "FROST(secp256k1, SHA-256)": "FROST-secp256k1-SHA256-v1",
    "FROST(P-256, SHA-256)": "FROST-P256-SHA256-v1",
    "FROST(ristretto255, SHA-512)": "FROST-RISTRETTO255-SHA512-v1",
    "FROST(Ed448, SHAKE256)": "FROST-ED448-SHAKE256-v1",
  ]

  static func named(_ name: String) -> FROSTSuite? {
    let name = older[name] ?? name
    return all.first { $0.name == name }
  }

  /// Converts a number from a file to big-endian.
  func number(_ bytes: [UInt8]) -> [UInt8] { isLittleEndian ? bytes.reversed() : bytes }

  /// Converts a secret number from a file to big-endian.
  func scalar(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    isLittleEndian ? try bytes.reversed() : try bytes.copied()
  }
}
