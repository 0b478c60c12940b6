internal import FoundationEssentials
package import FuekiSources
package import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects vault shares exported by the Vultisig apps: `.vult`, `.bak`, the older `.dat`, and ZIP files of
/// several.
///
/// Only the exported file can recover a vault. It is kept unchanged. Its key shares are compared with the
/// vault's keys, so that a wrong export is detected while another device still exists.
enum VultisigCollector {
  static let kind = "vultisig"
}

extension CollectorKind {
  static let vultisig = CollectorKind(
    VultisigCollector.kind, "vault shares of the Vultisig apps (.vult, .bak, ZIP)", reach: .folder,
    guide: .keyShares,
    programs: [
      WalletProgram(
        id: "vultisig", title: "Vultisig", folders: [".vultisig"],
        places: [
          .one("vultisig.db", .hidden, .oldShares, .closeFirst),
          .folder(".vultisig", of: ["vault:*.json"], .hidden, [.oldShares]),
        ]),
      WalletProgram(
        id: "vultisig-export", title: "Vultisig vault share",
        places: [
          .export("*-part*of*.vult", kind: "vultisig", .hidden, .oldShares),
          .export("*-share*of*.vult", kind: "vultisig", .hidden, .oldShares),
          .export("*_vault_*.bak", kind: "vultisig", .hidden, .oldShares),
          .export("vultisig_backups_*.zip", kind: "vultisig", .hidden, .oldShares),
        ]),
    ],
    fileNames: WalletNames(
      certain: ["*.vult", "*-part*of*.bak", "*-share*of*.bak", "*_vault_*.bak", "vultisig_backups_*.zip"],
      possible: ["*.bak"]),
    hasKeyShares: true, comparesEpochs: true, what: "vault share of Vultisig",
    recognises: { VultisigFile.isLikely($0) },
    look: { found, asked in
      Look(try VultisigFile.content(found.bytes(), name: found.nameText, password: asked.password), or: asked)
    })
}

/// An exported file in any of the apps' formats.
enum VultisigFile {
  private static let format = "vultisig-vault"
  private static let entryByteCountLimit = 16 << 20

  /// Whether a file's first bytes look like an export.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    if OWNDCollector.isZIP(beginning) { return beginning.contains(".vult") }
    if isHexOfJSON(beginning) { return beginning.contains("6b65797368617265") }
    // The container's version and vault: tags 08 and 12.
    guard beginning.count >= 64, beginning.starts(with: Array("CA".utf8)) else { return false }
    let text = String(decoding: beginning.extracting(first: 8).copied(), as: UTF8.self)
    guard let head = Data(base64Encoded: text).map(Array.init), head.count == 6 else { return false }
    return head[1] < 0x80 && head[2] == 0x12
  }

  /// Returns the contents of a file in any of the formats; nil for another kind of file.
  static func content(
    _ bytes: borrowing SecretBytes, name: String, password: AskedPassword
  ) throws -> Kept? {
    if bytes.withBytes({ OWNDCollector.isZIP($0) }) {
      return try archive(bytes, name: name, password: password)
    }
    if let container = try bytes.withBytes({ try VultisigContainer($0) }) {
      return try container.content(name: name, password: password)
    }
    return try legacy(bytes, name: name, password: password)
  }

  /// Reads the entries of a ZIP file, each a separate export.
  private static func archive(
    _ bytes: borrowing SecretBytes, name: String, password: AskedPassword
  ) throws -> Kept? {
    let entries: [ZIPArchive.Entry]
    do throws(ZIPError) {
      entries = try bytes.withBytes { bytes throws(ZIPError) in try ZIPArchive(bytes).entries }
    } catch {
      guard bytes.withBytes({ $0.contains(".vult") }) else { return nil }
      var content = Kept(
        format: format, isSecret: true,
        WalletFinding(kind: VultisigCollector.kind, name: name, .faulty(.malformed)))
      content.problems.append(error.sentence)
      return content
    }
    var whole = Kept(format: "vultisig-zip")
    whole.program = VultisigCollector.kind
    whole.isSecret = false
    var isOne = false
    for entry in entries {
      let entryName = "\(name)/\(FileName.text(entry.name))"
      let part: Kept?
      do {
        let content = try bytes.withBytes { bytes in
          try ZIPArchive.content(of: entry, in: bytes, limit: entryByteCountLimit, work: password.work)
        }
        part = try self.entry(content, name: entryName, password: password)
      } catch let error as ZIPError {
        var content = Kept(
          format: format, isSecret: true,
          WalletFinding(
            kind: VultisigCollector.kind, name: entryName,
            .faulty(error == .wrongChecksum ? .checksum : .malformed)))
        content.problems.append(error.sentence)
        part = content
        guard entryName.hasSuffix(".vult") else { continue }
      }
      guard let part else { continue }
      isOne = true
      whole.isSecret = whole.isSecret || part.isSecret
      whole.sharesAreAll = whole.sharesAreAll && part.sharesAreAll
      // Each entry counts as a separate vault file.
      whole.shares += part.shares.map { share in
        var share = share
        share.document = whole.shares.count + 1
        return share
      }
      whole.wallets += part.wallets.filter { wallet in !whole.wallets.contains { $0.id == wallet.id } }
      whole.findings += part.findings
      whole.problems += part.problems.map { "\(entryName): \($0)" }
    }
    return isOne ? whole : nil
  }

  private static func entry(
    _ bytes: borrowing SecretBytes, name: String, password: AskedPassword
  ) throws -> Kept? {
    if let container = try bytes.withBytes({ try VultisigContainer($0) }) {
      return try container.content(name: name, password: password)
    }
    if let content = try legacy(bytes, name: name, password: password) { return content }
    guard name.hasSuffix(".vult") else { return nil }
    return Kept(
      format: format, isSecret: true,
      WalletFinding(kind: VultisigCollector.kind, name: name, .faulty(.malformed)))
  }

  /// Reads the format before the container: hexadecimal of JSON, or of ciphertext.
  private static func legacy(
    _ bytes: borrowing SecretBytes, name: String, password: AskedPassword
  ) throws -> Kept? {
    var inner = try bytes.withBytes { try GuardedEncodings.hex($0) }
    if inner == nil, bytes.withBytes({ $0.starts(with: VultisigEnvelope.magic) }) {
      inner = try bytes.copy(0..<bytes.count)
    }
    guard let inner else { return nil }
    if inner.withBytes({ $0.firstVisible == UInt8(ascii: "{") }) {
      return try VultisigVault(json: inner)?.content(name: name, isEncrypted: false)
    }
    guard inner.count > VultisigEnvelope.leastByteCount else { return nil }
    return try VultisigEnvelope(inner).content(format: format, name: name, password: password) { plain in
      if plain.withBytes({ $0.firstVisible == UInt8(ascii: "{") }) { return try VultisigVault(json: plain) }
      guard let json = try plain.withBytes({ try GuardedEncodings.hex($0) }) else { return nil }
      return try VultisigVault(json: json)
    }
  }

  private static func isHexOfJSON(_ beginning: Span<UInt8>) -> Bool {
    beginning.starts(with: Array("7b".utf8)) || beginning.starts(with: Array("7B".utf8))
  }
}

/// The container of an export: base64 of a message with version, vault and encryption flag.
struct VultisigContainer {
  private let isEncrypted: Bool
  private let vault: SharedSecret?

  /// Parses a complete file; nil if it is not such a container.
  init?(_ text: Span<UInt8>) throws {
    guard let message = try GuardedEncodings.base64(text) else { return nil }
    var (version, isEncrypted, inner) = (UInt64?.none, false, SharedSecret?.none)
    do {
      try message.withBytes { message in
        var reader = WireReader()
        while let field = try reader.next(in: message) {
          switch field.number {
          case 1: version = try field.varint()
          case 2:
            let text = message.extracting(try field.content())
            if let bytes = try GuardedEncodings.base64(text) { inner = SharedSecret(bytes) }
          case 3: isEncrypted = try field.varint() != 0
          default: break
          }
        }
      }
    } catch is WireError {
      // The start may still be right: then it is a damaged container.
      guard message.withBytes({ $0.count > 64 && $0[0] == 0x08 && $0[2] == 0x12 }) else { return nil }
      (version, inner) = (version ?? 0, nil)
    }
    guard version != nil || inner != nil else { return nil }
    self.isEncrypted = isEncrypted
    vault = inner
  }

  func content(name: String, password: AskedPassword) throws -> Kept {
    let format = "vultisig-vault"
    let damaged = Kept(
      format: format, isSecret: !isEncrypted,
      WalletFinding(kind: VultisigCollector.kind, name: name, .faulty(.malformed)))
    guard let vault else { return damaged }
    if isEncrypted {
      return try VultisigEnvelope(vault.bytes.copy(0..<vault.bytes.count)).content(
        format: format, name: name, password: password
      ) { try VultisigVault(message: $0) }
    }
    // The flag is one byte. If it is wrong, the ciphertext has no fields.
    if vault.bytes.withBytes({ $0.starts(with: VultisigEnvelope.magic) }) {
      return Kept(
        format: format, isSecret: false,
        WalletFinding(kind: VultisigCollector.kind, name: name, .faulty(.ciphertext)))
    }
    return try VultisigVault(message: vault.bytes)?.content(name: name, isEncrypted: false) ?? damaged
  }
}

/// The two encryption formats of the apps' exports.
///
///     "VLT" 02 ‖ salt 16 ‖ nonce 12 ‖ ciphertext ‖ tag 16        key: PBKDF2-HMAC-SHA256, 600,000 rounds
///     nonce 12 ‖ ciphertext ‖ tag 16                             key: SHA-256 of the password
package struct VultisigEnvelope {
  static let magic = Array("VLT".utf8) + [2]
  static let leastByteCount = AESCipher.gcmNonceByteCount + AESCipher.gcmTagByteCount

  private static let rounds = 600_000
  private static let saltByteCount = 16

  private let sealed: SharedSecret

  /// Creates an envelope from the complete ciphertext.
  package init(_ sealed: consuming SecretBytes) { self.sealed = SharedSecret(sealed) }

  /// Decrypts the contents, and returns whether the weaker format was used; nil if the password opens
  /// neither.
  ///
  /// - Throws: Errors of deriving a key or of ``SecretBytes/init(count:)``.
  package func open(
    with password: borrowing SecretBytes, work: WorkBudget
  ) throws -> (plain: SharedSecret, isWeak: Bool)? {
    if sealed.bytes.withBytes({ $0.starts(with: Self.magic) }) {
      let start = Self.magic.count + Self.saltByteCount
      if sealed.bytes.count >= start + Self.leastByteCount {
        let salt = sealed.bytes.withBytes { $0.extracting(Self.magic.count..<start).copied() }
        let key = try work.pbkdf2(from: password, salt: salt, iterations: Self.rounds, count: 32)
        if let plain = try open(from: start, key) { return (plain, false) }
      }
    }
    // A nonce of the older format can by chance start like the newer one.
    guard sealed.bytes.count >= Self.leastByteCount else { return nil }
    let digest = password.withBytes { SHA256.hash($0) }
    guard let plain = try open(from: 0, try SecretBytes(copying: digest.bytes.span)) else { return nil }
    return (plain, true)
  }

  private func open(from start: Int, _ key: borrowing SecretBytes) throws -> SharedSecret? {
    try sealed.bytes.withBytes { bytes in
      let nonceEnd = start + AESCipher.gcmNonceByteCount
      let nonce = bytes.extracting(start..<nonceEnd).copied()
      do throws(CryptoError) {
        return SharedSecret(
          try AESCipher.openGCM(bytes.extracting(nonceEnd..<bytes.count), key: key, nonce: nonce))
      } catch .notAuthentic {
        return nil
      }
    }
  }

  /// Returns the contents of an encrypted file, with or without the password.
  func content(
    format: String, name: String, password: AskedPassword,
    _ read: (borrowing SecretBytes) throws -> VultisigVault?
  ) throws -> Kept {
    func only(_ result: WalletFinding.Result) -> Kept {
      var content = Kept(
        format: format, isSecret: false, WalletFinding(kind: VultisigCollector.kind, name: name, result))
      content.program = VultisigCollector.kind
      return content
    }
    guard let typed = try password.read() else { return only(.notProved(.needsPassword)) }
    guard let (plain, isWeak) = try open(with: typed.bytes, work: password.work) else {
      return only(.notProved(.wrongPassword))
    }
    guard let vault = try read(plain.bytes) else { return only(.faulty(.malformed)) }
    var content = try vault.content(name: name, isEncrypted: true)
    if isWeak {
      content.problems.append(
        "its password is hashed only once, which is quick to guess: export it again with a newer app")
    }
    return content
  }
}
