internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// An exported account of polkadot-js and of the wallets that have its format.
///
///     salt 32 ‖ u32 N ‖ u32 p ‖ u32 r ‖ nonce 24 ‖ XSalsa20-Poly1305 of a PKCS #8 text      (little-endian)
///
/// Earlier versions have no scrypt, and the password's bytes are the key.
struct PolkadotKeystore {
  private static let header: [UInt8] = [48, 83, 2, 1, 1, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]
  private static let divider: [UInt8] = [161, 35, 3, 33, 0]
  private static let saltByteCount = 32
  private static let headByteCount = saltByteCount + 12

  /// The address as the file states it; empty for a file of several accounts.
  let address: String
  let name: String
  /// Whether the secret is in the clear.
  let isInClear: Bool
  /// Whether the key is derived slowly.
  let isStretched: Bool
  private let sealed: SharedSecret
  private let scheme: String
  private let isOfSeveral: Bool

  /// Reads a complete file; nil for anything else.
  init?(_ root: GuardedValue) throws {
    guard let encoding = root.member("encoding"), let text = try root.member("encoded")?.secret() else {
      return nil
    }
    let content = encoding.member("content")?.elements.compactMap(\.string) ?? []
    let types = encoding.member("type")
    // The first version has one text in place of a list.
    let ciphers = types?.string.map { [$0] } ?? types?.elements.compactMap(\.string) ?? []
    guard let first = content.first, ["pkcs8", "batch-pkcs8"].contains(first), !ciphers.isEmpty,
      let bytes = try text.bytes.withBytes({ bytes in
        try bytes.count > 2 && bytes[0] == 0x30 && bytes[1] == 0x78
          ? GuardedEncodings.hex(bytes.extracting(2..<bytes.count)) : GuardedEncodings.base64(bytes)
      })
    else { return nil }
    sealed = SharedSecret(bytes)
    isOfSeveral = first == "batch-pkcs8"
    scheme = content.count > 1 ? content[1] : ""
    address = root.member("address")?.string ?? ""
    name = root.member("meta")?.member("name")?.string ?? ""
    (isInClear, isStretched) = (ciphers.contains("none"), ciphers.contains("scrypt"))
  }

  /// Opens the file; nil if the password is wrong.
  ///
  /// - Throws: as ``WorkBudget/scrypt(from:salt:cost:count:)``.
  func open(_ password: borrowing SecretBytes, work: WorkBudget) throws -> SecretBytes? {
    if isInClear { return try sealed.bytes.copied() }
    guard let key = try key(password, work: work) else { return nil }
    let start = isStretched ? Self.headByteCount : 0
    return try sealed.bytes.withBytes { bytes in
      let end = start + SecretBox.nonceByteCount
      guard bytes.count > end else { return nil }
      do throws(CryptoError) {
        return try SecretBox.open(
          bytes.extracting(end..<bytes.count), key: key, nonce: bytes.extracting(start..<end).copied())
      } catch .notAuthentic {
        return nil
      }
    }
  }

  /// Returns the key for a password; nil if the file does not describe how it is derived.
  private func key(_ password: borrowing SecretBytes, work: WorkBudget) throws -> SecretBytes? {
    guard isStretched else {
      return try SecretBytes(count: SecretBox.keyByteCount) { padded in
        password.withBytes { password in
          for index in 0..<min(password.count, padded.count) { padded[index] = password[index] }
        }
      }
    }
    guard sealed.bytes.count > Self.headByteCount else { return nil }
    var head = ByteReader(sealed.bytes.withBytes { $0.extracting(first: Self.headByteCount).copied() })
    guard let salt = try? head.bytes(Self.saltByteCount), let n = try? head.u32(), let p = try? head.u32(),
      let r = try? head.u32()
    else { return nil }
    return try work.scrypt(
      from: password, salt: salt, cost: Scrypt.Cost(n: UInt64(n), r: UInt64(r), p: UInt64(p)), count: 32)
  }

  /// Compares the opened secret with its public key and with the address.
  func result(of plain: borrowing SecretBytes) throws -> WalletFinding.Result {
    guard !isOfSeveral else { return .proved(.opened) }
    let halves: (secret: Range<Int>, publicKey: [UInt8])? = plain.withBytes { bytes in
      guard bytes.starts(with: Self.header) else { return nil }
      for count in [64, 32] {
        let (start, end) = (Self.header.count, Self.header.count + count)
        let rest = end + Self.divider.count
        guard bytes.count > rest, bytes.extracting(end..<bytes.count).starts(with: Self.divider) else {
          continue
        }
        return (start..<end, bytes.extracting(rest..<bytes.count).copied())
      }
      return nil
    }
    guard let halves else { return .faulty(.malformed) }
    guard let derived = try publicKey(of: plain.copy(halves.secret)) else { return .proved(.opened) }
    guard derived == halves.publicKey else { return .faulty(.secretDiffers) }
    // The address of other schemes is a hash of the key.
    guard scheme == "sr25519" || scheme == "ed25519", let account = try? Base58.decode(address),
      account.count > derived.count + 2
    else { return .proved(.publicKey) }
    // A network's number comes before the key, and two bytes of a checksum after it.
    return account.dropLast(2).suffix(derived.count).elementsEqual(derived)
      ? .proved(.address) : .faulty(.otherAddress)
  }

  /// Returns the public key of a secret one; nil for an unknown scheme, or for a key that is none.
  private func publicKey(of secret: borrowing SecretBytes) throws -> [UInt8]? {
    let scalar = try SecretBytes(count: 32) { scalar in
      secret.withBytes { secret in
        // sr25519 keeps eight times the number, lowest byte first.
        for index in 0..<32 {
          let high = index < 31 ? secret[index + 1] << 5 : 0
          scalar[31 - index] = scheme == "sr25519" ? secret[index] >> 3 | high : secret[31 - index]
        }
      }
    }
    switch scheme {
    case "sr25519": return try ShareProof.point(of: scalar, on: .ristretto255)
    case "ed25519": return try Ed25519.publicKey(seed: secret.copy(0..<32)).bytes
    case "ecdsa", "ethereum": return try ShareProof.point(of: scalar, on: .secp256k1)
    default: return nil
    }
  }
}

extension CollectorKind {
  /// Accounts of Polkadot and its relatives.
  static let polkadot = CollectorKind(
    "polkadot", "accounts of polkadot-js and others, exported as JSON", reach: .folder, guide: .polkadot,
    formats: [FileFormat("polkadot-account", isPublic: { $0.contains("\"xsalsa20-poly1305\"") })],
    fileNames: WalletNames(possible: ["*.json"]), limit: 1 << 20, what: "account of Polkadot",
    recognises: { $0.contains("\"encoded\"") && $0.contains("pkcs8\"") },
    look: { found, asked in
      let content = try found.bytes()
      let count = content.count
      guard let document = try? GuardedDocument(content, limit: count),
        let keystore = try PolkadotKeystore(document.root)
      else { return .other(reason: "it is no account of Polkadot") }
      var result = WalletFinding.Result.notProved(.needsPassword)
      let typed =
        keystore.isInClear ? SharedSecret(try SecretBytes(count: 0)) : try asked.proofPassword.read()
      if let typed {
        switch try keystore.open(typed.bytes, work: asked.work) {
        case let plain?: result = try keystore.result(of: plain)
        case nil: result = .notProved(.wrongPassword)
        }
      }
      var kept = Kept(
        format: "polkadot-account", isSecret: keystore.isInClear,
        asked.finding(found.nameText, result, detail: keystore.address))
      (kept.program, kept.address) = ("polkadot", keystore.isInClear ? "" : keystore.address)
      if !keystore.isStretched, !keystore.isInClear {
        kept.problems = [
          "its password is the key, which is quick to guess: export it again with a newer version"
        ]
      }
      return .wallet(kept)
    })
}
