internal import FuekiArchive
internal import FuekiCrypto

/// The history on its way into an archive, section by section: its table, and its differences from a base.
struct HistoryPass {
  /// The base of a differential archive; nil for a full one.
  let base: BaseTable?
  let keying: RecordKeying
  private(set) var outcomes: [SectionPass.Outcome] = []

  /// Takes down the history of a full archive.
  init() {
    base = nil
    keying = RecordKeying()
  }

  /// Lets through what differs from a base.
  init(from base: BaseTable) {
    self.base = base
    keying = base.keying
  }

  /// Begins a section, of 32…61.
  func section(_ id: UInt16) -> SectionPass { SectionPass(id, keying, base: base.map { $0.keys(of: id) }) }

  /// Ends a completely written section.
  mutating func end(_ section: SectionPass) { outcomes.append(section.outcome()) }

  /// The number of records in each section, including the base's; nil for a full archive.
  var resultCounts: [UInt16: UInt64]? {
    guard base != nil else { return nil }
    return Dictionary(uniqueKeysWithValues: outcomes.map { ($0.id, $0.count) }.filter { $0.1 > 0 })
  }

  /// Returns the record of section 62, once all sections before it have ended; nil for a full archive.
  ///
  /// - Throws: ``FullNeeded`` if the differences do not fit or a removed record cannot be identified; errors from
  ///   reading the table.
  func changes() throws -> [UInt8]? {
    guard let base else { return nil }
    let ids = Set(base.sections.keys).union(outcomes.map(\.id))
    var written: UInt64 = 0
    var sections: [SectionChange] = []
    for id in ids.sorted() {
      let outcome = outcomes.first { $0.id == id } ?? section(id).outcome()
      guard outcome.count > 0 || !base.keys(of: id).isEmpty else { continue }
      guard let removed = try base.names.read(id, outcome.removed) else {
        throw FullNeeded(reason: .longIdentity)
      }
      let names = removed.sorted { $0.lexicographicallyPrecedes($1) }
      sections.append(
        SectionChange(section: id, records: outcome.count, setDigest: outcome.setDigest, removed: names))
      written += outcome.written + UInt64(names.count)
      guard written <= Changes.mostRecords else { throw FullNeeded(reason: .tooManyChanges) }
    }
    let message = Changes(sections).encoded
    guard message.count <= Self.mostChangesBytes else { throw FullNeeded(reason: .tooManyChanges) }
    return message
  }

  /// The longest record that leaves room for its length prefix.
  private static let mostChangesBytes = (16 << 20) - 4
}
