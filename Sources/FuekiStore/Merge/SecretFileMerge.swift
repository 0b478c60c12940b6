internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// The merge of files that hold secrets: the parts of each come from one version of it.
final class SecretFileMerge {
  enum Outcome {
    case equal
    case add
    /// What is there stays; what differs is told once.
    case keep([String]?)
    /// The archive's takes the place of all parts that are there.
    case replace([String])
  }

  private struct Version {
    var parts: [UInt64: SecretFilePart] = [:]
    /// Those of the archive that were equal so far.
    var equal: [SharedSecret] = []
    var isDecided = false
  }

  private struct PartName: Hashable {
    let id: [UInt8]
    let offset: UInt64
  }

  private let policy: ConflictPolicy
  /// The parts that were taken, where another of the same name is the same thing; else nil.
  private var taken: [PartName: SecretFilePart]?
  private var present: [[UInt8]: Version] = [:]
  private var replaced: Set<[UInt8]> = []

  init(_ keychain: Keychain?, _ policy: ConflictPolicy, _ source: MergeSource) throws {
    self.policy = policy
    if source == .files { taken = [:] }
    for record in keychain?.secretRecords(of: .secretFiles) ?? [] {
      let part = try record.bytes.withBytes { (message) throws(SecretRecordError) in
        try SecretFilePart(decoding: message)
      }
      present[part.id, default: Version()].parts[part.offset] = part
    }
  }

  func outcome(of part: SecretFilePart, _ message: borrowing SecretBytes) -> Outcome {
    let name = PartName(id: part.id, offset: part.offset)
    if let other = taken?[name] {
      let differences = part.differences(from: other)
      return differences.isEmpty ? .equal : .keep(differences)
    }
    let outcome = comparedOutcome(of: part, message)
    switch outcome {
    case .add, .replace: taken?[name] = part
    case .equal, .keep: break
    }
    return outcome
  }

  private func comparedOutcome(of part: SecretFilePart, _ message: borrowing SecretBytes) -> Outcome {
    guard !replaced.contains(part.id), var version = present[part.id] else { return .add }
    defer { present[part.id] = version }
    guard !version.isDecided else { return .keep(nil) }
    guard let other = version.parts[part.offset] else { return .add }
    let differences = part.differences(from: other)
    guard !differences.isEmpty else {
      if let copy = try? message.copy(0..<message.count) { version.equal.append(SharedSecret(copy)) }
      return .equal
    }
    let isLater = part.modifiedAt.flatMap { mine in other.modifiedAt.map { mine > $0 } } ?? false
    guard policy == .replace || policy == .newer && isLater else {
      version.isDecided = true
      return .keep(differences)
    }
    replaced.insert(part.id)
    return .replace(differences)
  }

  /// The parts of a file that were equal before one was not.
  func earlierParts(of id: [UInt8]) -> [SharedSecret] { present[id]?.equal ?? [] }
}

extension SecretFilePart {
  /// The names of the fields that differ.
  fileprivate func differences(from other: SecretFilePart) -> [String] {
    var names: [String] = []
    if source != other.source { names.append("source") }
    if path != other.path { names.append("path") }
    if total != other.total { names.append("total") }
    let isSame = content.bytes.isEqualInConstantTime(to: other.content.bytes)
    if !isSame { names.append("content") }
    if modifiedAt != other.modifiedAt { names.append("modified_at") }
    if mode != other.mode { names.append("mode") }
    if format != other.format { names.append("format") }
    if address != other.address { names.append("address") }
    if kdf != other.kdf { names.append("kdf") }
    if place != other.place { names.append("place") }
    if program != other.program { names.append("program") }
    if programVersion != other.programVersion { names.append("program_version") }
    if extra != other.extra { names.append("extra") }
    return names
  }
}
