internal import FuekiArchive
package import FuekiCrypto
package import FuekiWallet

/// LND's static channel backup, `channel.backup`: a nonce, then the channels in XChaCha20-Poly1305.
///
/// The nonce is also the additional data. The key is the SHA-256 of the public key at m/1017'/coin'/7'/0/0
/// below the node's root key.
package enum ChannelBackup {
  /// The length of a file without channels: nonce, version, count, tag.
  static let emptyByteCount = 45
  static let byteCountLimit = 16 << 20

  private static let nonceByteCount = XChaCha20Poly1305.nonceByteCount

  /// Decrypts a file with its 32-byte key; nil for a wrong key.
  package static func open(
    _ file: Span<UInt8>, key: borrowing SecretBytes
  ) throws(CryptoError) -> [UInt8]? {
    guard file.count >= nonceByteCount + XChaCha20Poly1305.tagByteCount else { return nil }
    let nonce = file.extracting(0..<nonceByteCount).copied()
    do throws(CryptoError) {
      return try XChaCha20Poly1305.open(
        file.extracting(nonceByteCount...), key: key, nonce: nonce, additionalData: nonce)
    } catch .notAuthentic {
      return nil
    }
  }

  /// Derives the file's key from a root key's text, on the main network or a test network.
  package static func key(
    below root: borrowing SecretBytes, isTest: Bool
  ) throws(ExtendedKeyError) -> SecretBytes {
    let hardened = DerivationStep.hardenedBase
    let path = DerivationPath(
      [1017 + hardened, (isTest ? 1 : 0) + hardened, 7 + hardened, 0, 0].map { DerivationStep(number: $0) })
    let point = try ExtendedPrivateKey(parsing: root).descendant(path).publicKey().key
    do throws(CryptoError) {
      return try SHA256.secretHash(point.span)
    } catch {
      throw .crypto(error)
    }
  }
}

/// The channels of an opened backup.
package struct BackedUpChannels: Equatable {
  /// Why a decrypted backup is invalid.
  package enum Problem: Error, Equatable {
    case truncated
    case trailing
    case unknownVersion(UInt8)
    case invalidPoint
    case unknownChain
    case repeatedOutpoint
  }

  /// The public data of a channel.
  package struct Channel: Equatable {
    /// The funding output: the transaction id in its usual form, and the output's number.
    package let outpoint: String
    package let capacity: UInt64
    package let peer: [UInt8]
    package let version: UInt8
    /// Whether it includes the force-close transaction.
    ///
    /// Publishing an old one is punished.
    package let hasCloseInputs: Bool
  }

  package private(set) var channels: [Channel] = []

  /// The genesis blocks of LND's networks, in the file's byte order.
  private static let chains: Set<String> = [
    "6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000",
    "43497fd7f826957108f4a30fd9cec3aeba79972084e90ead01ea330900000000",
    "06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f",
    "f61eee3b63a380a477a063af32b2bbc97c9ff9f01f2c4225e973988108000000",
    "f67ad7695d9b662a72ff3d8edbbb2de0bfa67b13974bb9910d116d5cbd863e68",
    "43f08bdab050e35b567c864b91f47f50ae725ae2de53bcfbbaf284da00000000",
  ]
  private static let withLease: UInt8 = 4
  private static let firstTaproot: UInt8 = 5
  private static let withTapscriptRoot: UInt8 = 6
  private static let newestVersion: UInt8 = 7

  /// Parses a complete decrypted backup of all channels or of one.
  ///
  /// An export of a single channel has no mark: it is the same data as after the count of all channels.
  ///
  /// - Throws: The problem as a backup of all channels, if it is neither.
  package init(readingAny bytes: [UInt8]) throws(Problem) {
    do throws(Problem) {
      self = try BackedUpChannels(reading: bytes)
    } catch {
      guard let one = try? BackedUpChannels(readingOne: bytes) else { throw error }
      self = one
    }
  }

  /// Parses a complete decrypted backup of one channel.
  package init(readingOne bytes: [UInt8]) throws(Problem) {
    var reader = ByteReader(bytes)
    do {
      channels = [try Self.channel(&reader)]
      guard reader.remaining == 0 else { throw Problem.trailing }
    } catch let problem as Problem {
      throw problem
    } catch { throw .truncated }
  }

  /// Parses a complete decrypted backup of all channels.
  package init(reading bytes: [UInt8]) throws(Problem) {
    var reader = ByteReader(bytes)
    do {
      let version = try reader.u8()
      guard version == 0 else { throw Problem.unknownVersion(version) }
      let count = try reader.bigEndian(4)
      var seen: Set<String> = []
      for _ in 0..<count {
        let channel = try Self.channel(&reader)
        guard seen.insert(channel.outpoint).inserted else { throw Problem.repeatedOutpoint }
        channels.append(channel)
      }
      guard reader.remaining == 0 else { throw Problem.trailing }
    } catch let problem as Problem {
      throw problem
    } catch { throw .truncated }
  }

  private static func channel(_ file: inout ByteReader) throws -> Channel {
    let first = try file.u8()
    let (version, hasCloseInputs) = (first & 0x7F, first & 0x80 != 0)
    guard version <= newestVersion else { throw Problem.unknownVersion(version) }
    let byteCount = Int(truncatingIfNeeded: try file.bigEndian(2))
    var reader = ByteReader(try file.bytes(byteCount))
    _ = try reader.bytes(1)
    guard chains.contains(Hex.encode(try reader.bytes(32))) else { throw Problem.unknownChain }
    let transaction = Hex.encode([UInt8](try reader.bytes(32).reversed()))
    let output = try reader.bigEndian(2)
    _ = try reader.bigEndian(8)
    let peer = try point(&reader)
    let addresses = Int(truncatingIfNeeded: try reader.bigEndian(2))
    _ = try reader.bytes(addresses)
    let capacity = try reader.bigEndian(8)
    // Our delay and five key locators; the peer's delay and five keys.
    _ = try reader.bytes(2 + 5 * 8 + 2)
    for _ in 0..<5 { _ = try point(&reader) }
    let chain = try reader.bytes(33)
    guard chain.allSatisfy({ $0 == 0 }) || CurvePoint.isValid(chain, on: .secp256k1) else {
      throw Problem.invalidPoint
    }
    _ = try reader.bytes(8)
    if version == withLease { _ = try reader.bigEndian(4) }
    if hasCloseInputs { try closeInputs(&reader, version) }
    guard reader.remaining == 0 else { throw Problem.trailing }
    return Channel(
      outpoint: "\(transaction):\(output)", capacity: capacity, peer: peer, version: version,
      hasCloseInputs: hasCloseInputs)
  }

  /// Skips the closing data: the commitment transaction, without witnesses, and the peer's signature.
  private static func closeInputs(_ reader: inout ByteReader, _ version: UInt8) throws(ByteReader.Exhausted) {
    _ = try reader.bytes(4)
    for _ in 0..<(try reader.compactSize()) {
      _ = try reader.bytes(36)
      _ = try reader.bytes(Int(clamping: try reader.compactSize()))
      _ = try reader.bytes(4)
    }
    for _ in 0..<(try reader.compactSize()) {
      _ = try reader.bytes(8)
      _ = try reader.bytes(Int(clamping: try reader.compactSize()))
    }
    _ = try reader.bytes(4)
    _ = try reader.bytes(Int(truncatingIfNeeded: try reader.bigEndian(2)))
    if version >= firstTaproot { _ = try reader.bytes(8) }
    if version == withTapscriptRoot || version == newestVersion && reader.remaining > 0 {
      _ = try reader.bytes(32)
    }
  }

  private static func point(_ reader: inout ByteReader) throws -> [UInt8] {
    let point = try reader.bytes(33)
    guard CurvePoint.isValid(point, on: .secp256k1) else { throw Problem.invalidPoint }
    return point
  }
}
