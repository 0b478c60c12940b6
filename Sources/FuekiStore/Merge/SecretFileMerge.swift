internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// The merge of files with secrets: all parts of a file come from the same version.
///
/// Only digests of compared parts are kept, so that a file's length does not matter.
final class SecretFileMerge {
  enum Outcome {
    case equal
    case add
    /// The existing file stays.
    ///
    /// The differences are reported once.
    case keep([String]?)
    /// The archive's file replaces all existing parts.
    case replace([String])
  }

  private struct Version {
    var parts: [UInt64: ComparedPart] = [:]
    /// The offsets of the archive's parts that were equal so far.
    var equal: Set<UInt64> = []
    var isDecided = false
  }

  private struct PartName: Hashable {
    let id: [UInt8]
    let offset: UInt64
  }

  private let keychain: Keychain?
  private let policy: ConflictPolicy
  private let digests: PartDigests
  /// The imported parts, if parts of the same name are the same item; else nil.
  private var taken: [PartName: ComparedPart]?
  /// The ids of existing files not yet compared.
  private var unread: Set<[UInt8]>
  private var present: [[UInt8]: Version] = [:]
  private var replaced: Set<[UInt8]> = []

  init(_ keychain: Keychain?, _ policy: ConflictPolicy, _ source: MergeSource) throws {
    self.keychain = keychain
    self.policy = policy
    digests = try PartDigests()
    if source == .files { taken = [:] }
    unread = keychain?.secretFileIDs ?? []
  }

  func outcome(of part: SecretFilePart) throws -> Outcome {
    let name = PartName(id: part.id, offset: part.offset)
    let compared = digests.part(part)
    if let other = taken?[name] {
      let differences = compared.differences(from: other)
      return differences.isEmpty ? .equal : .keep(differences)
    }
    try read(part.id)
    let outcome = outcome(of: compared)
    switch outcome {
    case .add, .replace: taken?[name] = compared
    case .equal, .keep: break
    }
    return outcome
  }

  /// Returns the offsets of a file's parts that were equal before the first difference.
  func earlierParts(of id: [UInt8]) -> Set<UInt64> { present[id]?.equal ?? [] }

  private func read(_ id: [UInt8]) throws {
    guard unread.remove(id) != nil else { return }
    var version = Version()
    try keychain?.forEachSecretFileRecord(of: id) { message in
      let part = try message.withBytes { (message) throws(SecretRecordError) in
        try SecretFilePart(decoding: message)
      }
      version.parts[part.offset] = digests.part(part)
    }
    present[id] = version
  }

  private func outcome(of compared: ComparedPart) -> Outcome {
    let part = compared.facts
    guard !replaced.contains(part.id), var version = present[part.id] else { return .add }
    defer { present[part.id] = version }
    guard !version.isDecided else { return .keep(nil) }
    guard let other = version.parts[part.offset] else { return .add }
    let differences = compared.differences(from: other)
    guard !differences.isEmpty else {
      version.equal.insert(part.offset)
      return .equal
    }
    let isLater = part.modifiedAt.flatMap { mine in other.facts.modifiedAt.map { mine > $0 } } ?? false
    guard policy == .replace || policy == .newer && isLater else {
      version.isDecided = true
      return .keep(differences)
    }
    replaced.insert(part.id)
    return .replace(differences)
  }
}

/// Computes digests that are meaningless without a key, which is discarded with this value.
private struct PartDigests {
  private let key = RandomBytes.bytes(32)
  private let nothing: SharedSecret

  init() throws(CryptoError) { nothing = SharedSecret(try SecretBytes(count: 0)) }

  func part(_ part: SecretFilePart) -> ComparedPart {
    let key = key
    let digest = part.content.bytes.withBytes { content in
      let span = key.span
      return SHA256.hash(span, content)
    }
    var facts = part
    facts.content = nothing
    facts.unknownFields = nil
    return ComparedPart(facts: facts, digest: digest)
  }
}

/// A part of a file without its content.
private struct ComparedPart {
  let facts: SecretFilePart
  let digest: Digest

  /// Returns the names of the fields that differ.
  func differences(from otherPart: ComparedPart) -> [String] {
    let (part, other) = (facts, otherPart.facts)
    var names: [String] = []
    if part.source != other.source { names.append("source") }
    if part.path != other.path { names.append("path") }
    if part.total != other.total { names.append("total") }
    if digest != otherPart.digest { names.append("content") }
    if part.modifiedAt != other.modifiedAt { names.append("modified_at") }
    if part.mode != other.mode { names.append("mode") }
    if part.format != other.format { names.append("format") }
    if part.address != other.address { names.append("address") }
    if part.kdf != other.kdf { names.append("kdf") }
    if part.place != other.place { names.append("place") }
    if part.program != other.program { names.append("program") }
    if part.programVersion != other.programVersion { names.append("program_version") }
    if part.extra != other.extra { names.append("extra") }
    return names
  }
}
