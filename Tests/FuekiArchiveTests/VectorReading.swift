import ArchiveSupport
import FoundationEssentials
import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The result of reading an archive, at each depth.
struct Reading {
  private(set) var verdicts: [Depth: String] = [:]
  private(set) var damage: [String] = []
  private(set) var error: ArchiveError?
  private(set) var archive: OpenArchive?
  private(set) var intact: IntactArchive?
  private(set) var salvaged: SalvagedArchive?
  private(set) var reported: [String] = []
  private(set) var bundleChecksum: Digest?

  /// Reads `bytes` up to `depth` with the secrets of `reader`.
  init(_ bytes: [UInt8], as reader: VectorFile.Reader, to depth: Depth) throws {
    let folder = try TemporaryDirectory()
    try folder.write(bytes, to: "archive")
    try self.init(ArchiveFile(File.open(folder.path("archive"))), as: reader, to: depth)
  }

  init(_ file: ArchiveFile, as reader: VectorFile.Reader, to depth: Depth) throws {
    let bases = try VectorBases(reader.bases ?? [])
    do {
      let stored = try StoredArchive(reading: file)
      damage = stored.structuralDamage.map(\.vectorName)
      try reach(.structure, depth)
      let signers = reader.trustedSigners.map { Set($0.compactMap { Ed25519.PublicKey(hex: $0) }) }
      let report = try stored.verify(trusting: signers)
      damage = report.damage.map(\.vectorName)
      guard let intact = report.intact else {
        if reader.salvage == true, let damaged = report.damaged {
          let salvaged = try damaged.salvage(with: try reader.secrets) { _ in try bases.files() }
          try salvaged.readAll()
          self.salvaged = salvaged
        }
        throw Ended(verdict: "damaged")
      }
      self.intact = intact
      if let known = reader.known {
        let (verdict, reported) = judgeChain(intact, known)
        self.reported = reported
        guard verdict == "ok" else { throw Ended(verdict: verdict) }
      }
      try reach(.checksums, depth)
      let limit = reader.plaintextLimit ?? Limits.plaintextBytes
      let allowance = reader.largeDerivation == true ? Limits.DerivationAllowance.large : .standard
      let alone = try intact.unlockAlone(
        with: try reader.secrets, allowance: allowance, plaintextLimit: limit)
      archive = try alone.missingBase == nil ? alone.whole() : alone.withoutHistory()
      try reach(.open, depth)
      try alone.checkContents()
      let joined = try alone.joined(
        with: try reader.secrets, allowance: allowance, plaintextLimit: limit,
        bases: { _ in try bases.files() })
      archive = joined
      try joined.checkJoin()
      bundleChecksum = try joined.manifest()?.bundleChecksum
      // No record is lost, but it still counts as damaged.
      if !joined.baseDamage.isEmpty { throw Ended(verdict: "damaged") }
      try reach(.contents, depth)
    } catch let error as ArchiveError {
      self.error = error
      end(error.verdict.vectorName)
    } catch let ended as Ended {
      end(ended.verdict)
    }
  }

  /// Candidates for a differential archive's base: the files of other vectors.
  private struct VectorBases: ~Copyable {
    private let folder: TemporaryDirectory
    private let names: [String]

    init(_ names: [String]) throws {
      let folder = try TemporaryDirectory()
      for name in names { try folder.write(try Vector.named(name).bytes(), to: name) }
      self.folder = folder
      self.names = names
    }

    func files() throws -> [ArchiveFile] {
      try names.map { try ArchiveFile(File.open(folder.path($0))) }
    }
  }

  private struct Ended: Error {
    let verdict: String
  }

  private mutating func reach(_ depth: Depth, _ wanted: Depth) throws {
    verdicts[depth] = damage.isEmpty ? "ok" : "damaged"
    if depth == wanted { throw Ended(verdict: verdicts[depth] ?? "ok") }
  }

  /// Assigns the verdict to all depths not reached.
  private mutating func end(_ verdict: String) {
    for depth in Depth.allCases where verdicts[depth] == nil { verdicts[depth] = verdict }
  }
}

/// Performs step 4, which is left to the caller, with the archive's facts.
private func judgeChain(_ archive: IntactArchive, _ known: VectorFile.Known) -> (verdict: String, [String]) {
  let facts = archive.facts
  if facts.sequence < known.sequence { return ("older than known", []) }
  if facts.sequence == known.sequence { return (archive.digest.hex == known.digest ? "ok" : "forked", []) }
  if let base = facts.base, base.sequence == known.sequence, base.digest.hex != known.digest {
    return ("forked", [])
  }
  guard facts.sequence == known.sequence + 1 else { return ("ok", ["gap"]) }
  guard facts.previous != .zero else { return ("ok", ["previous unknown"]) }
  return (facts.previous.hex == known.digest ? "ok" : "forked", [])
}

extension VectorFile.Reader {
  var secrets: UnlockingSecrets {
    get throws {
      let files = [keyFile].compactMap { $0.flatMap { Hex.decode($0) } }
      let guardians = [guardiansKey].compactMap { $0.flatMap { Hex.decode($0) } }
      return UnlockingSecrets(
        passphrases: try (passphrases ?? []).map { try secret(normalising: $0) },
        keyFiles: try files.map { SharedSecret(try SecretBytes(copying: $0.span)) },
        identities: try (identities ?? []).flatMap { try AgeKey.identities(in: Array($0.utf8)) }
          + guardians.flatMap { key in
            let key = SharedSecret(try SecretBytes(copying: key.span))
            return [AgeIdentity(.x25519, key), AgeIdentity(.hybrid, key)]
          },
        guardianShares: try (shares ?? []).map {
          SharedSecret(try SecretBytes(copying: Array($0.utf8).span))
        },
        plugins: try plugin.map { [try $0.secret] } ?? [])
    }
  }
}

extension GuardianShortfall.Fault {
  /// The share's fault, as named in the vectors.
  var vectorName: String {
    switch self {
    case .notAShare: "not a share"
    case .foreign: "foreign"
    case .doubled: "doubled"
    }
  }
}

extension VectorFile.Plugin {
  /// The identity, with a plugin that returns the vector's results.
  fileprivate var secret: PluginIdentity {
    get throws {
      let line = try SecretBytes(copying: Array(identity.utf8).span)
      let identity = try #require(try AgeKey.identities(in: line).plugins.first)
      let frames = try fileKeys.enumerated().map { index, key in
        guard let key else { return "" }
        let bytes = try #require(Hex.decode(key))
        let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
        return "-> file-key \(index)\n\(text)\n"
      }
      let words = Array((frames.joined() + "-> done\n\n").utf8)
      return PluginIdentity(identity, AgePlugins { (_, _) in RecordedPlugin(words) })
    }
  }
}

extension AgeKey {
  fileprivate static func identities(in text: [UInt8]) throws -> [AgeIdentity] {
    let bytes = try SecretBytes(copying: text.span)
    return try identities(in: bytes).keys
  }
}

/// Returns a passphrase as a user types it.
func secret(normalising text: String) throws -> SharedSecret {
  let typed = Array(text.utf8)
  let bytes = try SecretBytes(copying: typed.span)
  let passphrase = try Passphrase(normalising: bytes)
  return SharedSecret(try passphrase.bytes.copy(0..<passphrase.bytes.count))
}

extension Verdict {
  /// The verdict, as named in the format's page and the vectors.
  var vectorName: String { rawValue.split(separator: "-").joined(separator: " ") }
}

extension ArchiveError.Damage {
  var vectorName: String {
    switch self {
    case .structure: "structure"
    case .firstHeader: "first header"
    case .headerCopy: "header copy"
    case .firstTrailer: "first trailer"
    case .trailerCopy: "trailer copy"
    case .reservedBytes: "reserved bytes"
    case .trailingBytes: "trailing bytes"
    case .chunk(let stream, let chunk): "chunk \(stream.name) \(chunk)"
    case .leaf(let stream, let chunk): "leaf \(stream.name) \(chunk)"
    case .leafRoot: "leaf root"
    case .archiveDigest: "archive digest"
    }
  }
}
