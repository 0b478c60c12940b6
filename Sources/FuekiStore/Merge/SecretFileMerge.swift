internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

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

  /// The existing files, until they are read with the archive's first part.
  private var unread: Keychain?
  private let policy: ConflictPolicy
  private let digests = PartDigests()
  /// The imported parts, if parts of the same name are the same item; else nil.
  private var taken: [PartName: ComparedPart]?
  private var present: [[UInt8]: Version] = [:]
  private var replaced: Set<[UInt8]> = []

  init(_ keychain: Keychain?, _ policy: ConflictPolicy, _ source: MergeSource) {
    unread = keychain
    self.policy = policy
    if source == .files { taken = [:] }
  }

  func outcome(of part: SecretFilePart) throws -> Outcome {
    let name = PartName(id: part.id, offset: part.offset)
    let compared = try digests.part(part)
    if let other = taken?[name] {
      let differences = try compared.differences(from: other)
      return differences.isEmpty ? .equal : .keep(differences)
    }
    try readPresent()
    let outcome = try outcome(of: compared)
    switch outcome {
    case .add, .replace: taken?[name] = compared
    case .equal, .keep: break
    }
    return outcome
  }

  /// Returns the offsets of a file's parts that were equal before the first difference.
  func earlierParts(of id: [UInt8]) -> Set<UInt64> { present[id]?.equal ?? [] }

  private func readPresent() throws {
    let keychain = unread
    unread = nil
    try keychain?.forEachSecretFileRecord { message in
      let part = try message.withBytes { (message) throws(SecretRecordError) in
        try SecretFilePart(decoding: message)
      }
      present[part.id, default: Version()].parts[part.offset] = try digests.part(part)
    }
  }

  private func outcome(of compared: ComparedPart) throws -> Outcome {
    let part = compared.facts
    let id = [UInt8](part.id)
    guard !replaced.contains(id), var version = present[id] else { return .add }
    defer { present[id] = version }
    guard !version.isDecided else { return .keep(nil) }
    guard let other = version.parts[part.offset] else { return .add }
    let differences = try compared.differences(from: other)
    guard !differences.isEmpty else {
      version.equal.insert(part.offset)
      return .equal
    }
    let isLater = part.lastChange.flatMap { mine in other.facts.lastChange.map { mine > $0 } } ?? false
    guard policy == .replace || policy == .newer && isLater else {
      version.isDecided = true
      return .keep(differences)
    }
    replaced.insert(id)
    return .replace(differences)
  }
}

/// Computes digests that are meaningless without a key, which is discarded with this value.
private struct PartDigests {
  private let key = RandomBytes.bytes(32)

  func part(_ part: SecretFilePart) throws -> ComparedPart {
    let key = key
    let digest = part.content.bytes.withBytes { content in
      let span = key.span
      return SHA256.hash(span, content)
    }
    var facts = try FilePart(describing: part)
    (facts.offset, facts.content) = (part.offset, Data(digest.bytes))
    return ComparedPart(facts: facts)
  }
}

/// A part of a file, with a digest in place of its content.
private struct ComparedPart {
  let facts: FilePart

  /// Returns the names of the fields that differ, by ascending number.
  func differences(from other: ComparedPart) throws -> [String] {
    let (part, other): ([UInt8], [UInt8]) = (
      try facts.serializedBytes(), try other.facts.serializedBytes()
    )
    return try RecordFields.differing(part.span, other.span, in: .secretFiles)
  }
}
