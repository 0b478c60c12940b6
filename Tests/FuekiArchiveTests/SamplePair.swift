import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport

/// A history by section, as in a store.
typealias SampleHistory = [UInt16: [[UInt8]]]

extension Changes {
  /// Computes the difference of two histories by plain comparison in memory: the archive's records, and its
  /// changes.
  ///
  /// All of the result's records with an identity are written, or none if the base has the same ones.
  static func difference(from old: SampleHistory, to new: SampleHistory) -> (SampleHistory, Changes) {
    var own: SampleHistory = [:]
    var entries: [SectionChange] = []
    for section in Set(old.keys).union(new.keys).sorted() {
      func byIdentity(_ records: [[UInt8]]) -> [[UInt8]: [[UInt8]]] {
        Dictionary(grouping: records) { record in
          let bytes = record.span
          return RecordIdentity(of: bytes, in: section).bytes(in: bytes)
        }
      }
      let (before, after) = (byIdentity(old[section] ?? []), byIdentity(new[section] ?? []))
      var sum = SetDigest()
      for record in new[section] ?? [] { sum.add(record.span, section: section) }
      let written = after.filter { identity, records in
        (before[identity] ?? []).sorted(by: lessInBytes) != records.sorted(by: lessInBytes)
      }
      let records = written.keys.sorted(by: lessInBytes).flatMap { written[$0] ?? [] }
      if !records.isEmpty { own[section] = records }
      guard !records.isEmpty || old[section]?.isEmpty == false else { continue }
      let count = UInt64(new[section]?.count ?? 0)
      entries.append(
        SectionChange(
          section: section, records: count, setDigest: sum.value(section: section, records: count),
          removed: before.keys.filter { after[$0] == nil }.sorted(by: lessInBytes)))
    }
    return (own, Changes(entries))
  }
}

func lessInBytes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }

/// A base and its differential archive, in one directory.
struct SamplePair: ~Copyable {
  let base: SampleArchive
  let archive: SampleArchive

  /// Writes both.
  ///
  /// `alter` may change what the archive states about them.
  init(
    from old: SampleHistory, to new: SampleHistory, seed: UInt64 = 1, suite: Suite = .columns,
    altering alter: (inout Changes) -> Void = { _ in }
  ) throws {
    let base = try SampleArchive(Self.sections(old), seed: seed, sequence: 3)
    var (own, changes) = Changes.difference(from: old, to: new)
    alter(&changes)
    own[Changes.sectionID] = [changes.encoded]
    let reference = BaseReference(digest: base.written.digest, sequence: 3)
    archive = try SampleArchive(
      Self.sections(own), seed: seed &+ 1000, suite: suite, sequence: 7, base: reference)
    self.base = base
  }

  var reference: BaseReference { BaseReference(digest: base.written.digest, sequence: 3) }

  private static func sections(_ history: SampleHistory) -> [SampleSection] {
    history.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { SampleSection($0.key, messages: $0.value, perBatch: 7) }
  }

  static var secrets: UnlockingSecrets {
    get throws { UnlockingSecrets(passphrases: [try secret(normalising: "sample")]) }
  }

  func alone() throws -> UnjoinedArchive {
    guard let intact = try archive.stored().verify().intact else { throw ArchiveError.damaged(.structure) }
    return try intact.unlockAlone(with: Self.secrets)
  }

  func joined() throws -> OpenArchive {
    let path = base.folder.path("archive")
    return try alone().joined(with: Self.secrets, bases: { _ in [ArchiveFile(try File.open(path))] })
  }
}

extension UnlockedArchive {
  /// Returns all records in the history's sections.
  func history() throws -> SampleHistory {
    var history: SampleHistory = [:]
    for section in sections where Changes.sectionIDs.contains(section.id) {
      _ = try readRecords(of: section.id) { block in
        block.messages.map { Array(block.bytes[$0]) }
      } body: {
        history[section.id, default: []] += $0
      }
    }
    return history
  }
}
