internal import FoundationEssentials
internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

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
