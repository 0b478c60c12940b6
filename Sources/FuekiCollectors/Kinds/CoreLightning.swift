internal import FuekiSources
package import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// A node's secret, and its emergency file.
  static let coreLightning = CollectorKind(
    CoreLightningCollector.kind, "hsm_secret and emergency.recover of Core Lightning", reach: .tree,
    guide: .coreLightning,
    programs: [
      WalletProgram(
        id: "core-lightning", title: "Core Lightning", group: .lightning, folders: [".lightning"],
        locks: [.held(".lightning/lightningd-*.pid"), .held(".lightning/*/lightningd-*.pid")],
        places: [
          .one(".lightning/*/hsm_secret", kind: CoreLightningCollector.kind, .coreLightning, .clearSecret),
          .one(".lightning/*/emergency.recover", kind: CoreLightningCollector.kind, .always, .closesChannels),
          .one(".lightning/*/lightningd.sqlite3", .nothingSecret, .oldChannels),
        ],
        beside: [
          ".lightning/hsm_secret*", ".lightning/emergency.recover*", ".lightning/*.sqlite3",
          ".lightning/*/hsm_secret*", ".lightning/*/emergency.recover*", ".lightning/*/*.sqlite3",
        ])
    ],
    formats: [
      FileFormat(CoreLightningCollector.secretFormat, fileNames: ["hsm_secret"]),
      FileFormat(
        CoreLightningCollector.recoveryFormat, hold: .channelBackup, heldNames: ["emergency.recover"]),
      FileFormat("core-lightning-db", fileNames: ["lightningd.sqlite3"], hold: .channels),
    ],
    fileNames: WalletNames(
      exact: ["hsm_secret", "emergency.recover"], certain: ["hsm_secret*", "emergency.recover*"]),
    hazards: [.lightning], limit: StaticBackup.byteCountLimit, what: "secret of a Core Lightning node",
    recognises: { StaticBackup.isLikely($0) }, together: CoreLightningCollector.together,
    look: CoreLightningCollector.look)
}

/// A Core Lightning node's secret and its channels' static backup.
///
/// Its database is never collected, because restoring an old one forfeits the channels' money.
enum CoreLightningCollector {
  static let kind = "core-lightning"
  static let secretFormat = "core-lightning-hsm"
  static let recoveryFormat = "core-lightning-recover"
  static let staticFormat = "core-lightning-staticbackup"

  /// What the files of one node have to do with each other.
  private struct Part {
    let folder: [UInt8]
    /// The node's secret, if it opens.
    var secret: SharedSecret?
    var recovery: [UInt8] = []
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = FileName.text(found.lastName)
    guard !name.hasPrefix("lightningd.sqlite3") else {
      return .withheld(
        reason: "an old copy of the channels' database forfeits their money. It is left out")
    }
    var part = Part(folder: Array(found.name.dropLast(found.lastName.count)))
    if name.hasPrefix("emergency.recover") {
      part.recovery = try found.publicBytes()
      // Only the node's secret next to it shows what it is worth.
      var kept = Kept(
        format: recoveryFormat, isSecret: false, asked.finding(found.nameText, .notProved(.needsSeed)))
      (kept.program, kept.hazards, kept.other) = (kind, [.lightning], part)
      return .wallet(kept)
    }
    if found.beginning(64).span.firstVisible == UInt8(ascii: "{") {
      let content = try found.publicBytes()
      if StaticBackup.isLikely(content.span) { return .wallet(backup(content, found, asked)) }
    }
    guard name.contains("hsm_secret"), found.byteCount <= UInt64(NodeSecret.byteCountLimit) else {
      return .other(reason: "it is neither a node's secret nor its emergency file")
    }
    let content = try found.bytes()
    let form = content.withBytes { NodeSecret.form(of: $0) }
    var finding = asked.finding(found.nameText, .faulty(.length))
    if let form { part.secret = try judge(content, form, asked.proofPassword, &finding) }
    var kept = Kept(format: secretFormat, isSecret: form != .encrypted, finding)
    (kept.program, kept.other) = (kind, part)
    return .wallet(kept)
  }

  /// Opens each emergency file with the secret of its node.
  static func together(_ files: inout [Kept], _ asked: Asked) throws {
    let parts = files.map { $0.other as? Part }
    var all = Kept(format: recoveryFormat)
    for place in files.indices where files[place].format == recoveryFormat {
      guard let part = parts[place] else { continue }
      let secret = parts.last { $0?.folder == part.folder && $0?.secret != nil }??.secret
      files[place].findings = []
      all.records.findings.append(
        try finding(files[place].name, part.recovery, secret, asked.proofPassword))
    }
    if !all.records.findings.isEmpty { files.append(all) }
  }

  /// The output of `staticbackup`, which only the node's secret could prove.
  private static func backup(
    _ content: [UInt8], _ found: borrowing FoundFile, _ asked: Asked
  ) -> Kept {
    let backup = StaticBackup(content)
    var kept = Kept(
      format: staticFormat, isSecret: false,
      asked.finding(
        found.nameText, backup == nil ? .faulty(.malformed) : .notProved(.needsSeed),
        detail: backup.map { "channels=\($0.channelCount)" } ?? ""))
    (kept.program, kept.hazards) = (kind, [.lightning])
    return kept
  }

  private static func judge(
    _ content: consuming SecretBytes, _ form: NodeSecret.Form, _ password: AskedPassword,
    _ finding: inout WalletFinding
  ) throws -> SharedSecret? {
    finding.result = .notProved(.needsPassword)
    do {
      let secret = try NodeSecret(reading: content, form) { try password.read() }
      finding.detail = Hex.encode(try secret.nodeID())
      // A passphrase is proof in itself. Otherwise no other file here identifies the node.
      finding.result =
        form == .encrypted || form == .wordsWithPassphrase ? .proved(.opened) : .notProved(.nothingToCompare)
      return SharedSecret(content)
    } catch NodeSecret.Refusal.needsPassphrase {
      return nil
    } catch NodeSecret.Refusal.wrongPassphrase {
      finding.result = .notProved(.wrongPassword)
      return nil
    }
  }

  private static func finding(
    _ name: String, _ content: [UInt8], _ secret: SharedSecret?, _ password: AskedPassword
  ) throws -> WalletFinding {
    guard content.count > SecretStream.headerByteCount + SecretStream.overheadByteCount else {
      return WalletFinding(kind: kind, name: name, .faulty(.length))
    }
    guard let secret, let form = secret.bytes.withBytes({ NodeSecret.form(of: $0) }) else {
      return WalletFinding(kind: kind, name: name, .notProved(.needsSeed))
    }
    let node = try NodeSecret(reading: secret.bytes, form) { try password.read() }
    guard try node.opens(recovery: content.span) else {
      return WalletFinding(kind: kind, name: name, .notProved(.needsSeed))
    }
    return WalletFinding(kind: kind, name: name, .proved(.opened), detail: Hex.encode(try node.nodeID()))
  }
}

/// The output of `lightning-cli staticbackup`: a list of hexadecimal texts, one for each channel.
struct StaticBackup {
  static let byteCountLimit = 16 << 20

  /// The number of channels.
  let channelCount: Int

  /// Whether a file's first bytes look like it.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{") && beginning.contains("\"scb\"")
  }

  /// Parses a complete file; nil if it is truncated or another kind of file.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: Self.byteCountLimit).root,
      let list = root.member("scb") ?? root.member("result")?.member("scb"), list.kind == .array
    else { return nil }
    let channels = list.children.map { $0.string.flatMap { Hex.decode($0) } ?? [] }
    guard channels.allSatisfy({ !$0.isEmpty }) else { return nil }
    channelCount = channels.count
  }
}

/// The root secret of a Core Lightning node, in the three forms of `hsm_secret`.
///
/// These are 32 bytes; the same encrypted with a passphrase, 73 bytes; or, since version 25.12, 32 bytes that
/// verify a passphrase (zeros for none) and the words of a BIP-39 phrase.
package struct NodeSecret: ~Copyable {
  /// The forms.
  package enum Form: Equatable, Sendable {
    case plain
    case encrypted
    case words
    case wordsWithPassphrase
  }

  /// Why a secret could not be read.
  package enum Refusal: Error, Equatable {
    case needsPassphrase
    case wrongPassphrase
  }

  static let byteCountLimit = 1024
  private static let plainByteCount = 32
  private static let encryptedByteCount =
    SecretStream.headerByteCount + plainByteCount + SecretStream.overheadByteCount
  /// libsodium's "moderate" limits.
  private static let cost = Argon2id.Cost(memoryKiB: 256 << 10, passes: 3)

  /// The input of key derivation: 32 bytes, or the 64 bytes of a phrase's seed.
  private let secret: SecretBytes

  /// Returns the form of a file; nil for another kind of file.
  package static func form(of file: Span<UInt8>) -> Form? {
    switch file.count {
    case plainByteCount: return file.indices.allSatisfy { file[$0] == 0 } ? nil : .plain
    case encryptedByteCount where !hasWords(file): return .encrypted
    case plainByteCount + 1...byteCountLimit:
      guard hasWords(file) else { return nil }
      return (0..<plainByteCount).allSatisfy { file[$0] == 0 } ? .words : .wordsWithPassphrase
    default: return nil
    }
  }

  /// Whether the first 32 bytes are followed by lower-case letters and spaces, as in a phrase.
  private static func hasWords(_ file: Span<UInt8>) -> Bool {
    let text = file.extracting(plainByteCount...)
    var spaces = 0
    for index in text.indices {
      switch text[index] {
      case 0x61...0x7a: break
      case 0x20: spaces += 1
      case 0x0a where index == text.count - 1: break
      default: return false
      }
    }
    return spaces >= 11
  }

  /// Reads a file.
  package init(
    reading file: borrowing SecretBytes, _ form: Form, password: () throws -> SharedSecret?
  ) throws {
    switch form {
    case .plain: secret = try file.copy(0..<Self.plainByteCount)
    case .encrypted:
      guard let typed = try password() else { throw Refusal.needsPassphrase }
      let salt = Array("c-lightning".utf8) + [0, 0, 0, 0, 0]
      let key = try Argon2id.derive(from: typed.bytes, salt: salt, cost: Self.cost)
      do throws(CryptoError) {
        secret = try file.withBytes { (bytes) throws(CryptoError) in
          try SecretStream.open(bytes, key: key)
        }
      } catch .notAuthentic {
        throw Refusal.wrongPassphrase
      }
    case .words:
      secret = try SeedPhrase.seed(words: try Self.words(file), passphrase: try SecretBytes(count: 0))
    case .wordsWithPassphrase:
      guard let typed = try password() else { throw Refusal.needsPassphrase }
      let seed = try SeedPhrase.seed(words: try Self.words(file), passphrase: typed.bytes)
      let proof = seed.withBytes { SHA256.hash($0).bytes }
      let isRight = file.withBytes { ConstantTime.areEqual($0.extracting(0..<32), proof.span) }
      guard isRight else { throw Refusal.wrongPassphrase }
      secret = seed
    }
  }

  private static func words(_ file: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let hasLineEnd = file.withBytes { $0[$0.count - 1] == 0x0a }
    return try file.copy(plainByteCount..<file.count - (hasLineEnd ? 1 : 0))
  }

  /// The node's public key, compressed.
  func nodeID() throws(CryptoError) -> [UInt8] {
    // Another salt is needed in the extremely rare case of an invalid key.
    for salt: UInt8 in 0..<4 {
      let code = try HKDF.extract(salt: [salt, 0, 0, 0], ikm: secret)
      let key = try HKDF.expand(prk: code, info: Array("nodeid".utf8), count: 32)
      guard CurveScalar.isKey(key, on: .secp256k1) else { continue }
      return try CurvePoint.multiplyBase(key, on: .secp256k1)
    }
    throw .invalidKey
  }

  /// Whether the secret opens the node's `emergency.recover`.
  package func opens(recovery file: Span<UInt8>) throws(CryptoError) -> Bool {
    let derived = try HKDF.expand(
      prk: try HKDF.extract(salt: [], ikm: secret), info: Array("derived secrets".utf8), count: 32)
    let key = try HKDF.expand(
      prk: try HKDF.extract(salt: [], ikm: derived), info: Array("scb secret".utf8), count: 32)
    do throws(CryptoError) {
      return try SecretStream.open(file, key: key).count > 0
    } catch .notAuthentic {
      return false
    }
  }
}
