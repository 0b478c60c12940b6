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

extension Publication {
  /// Where the archive's history begins: from a base, or from nothing, and why.
  enum Basis {
    case base(BaseTable)
    case nothing(FullReason)

    var pass: HistoryPass {
      switch self {
      case .base(let table): HistoryPass(from: table)
      case .nothing: HistoryPass()
      }
    }

    var reason: FullReason? {
      if case .nothing(let reason) = self { reason } else { nil }
    }
  }

  /// Finds a base for the archive; nil if no differential archive is requested.
  ///
  /// Targets that lack the base receive a copy.
  ///
  /// - Throws: The errors of ``full(_:)``, and errors from reading.
  func basis(
    _ position: VaultLineage.Position, _ catchUp: inout CatchUp, _ progress: (BackupProgress) throws -> Void
  ) throws -> Basis? {
    guard let history = options.history else { return nil }
    let search = BaseChoice(
      choice: history, vaultID: vaultID, position: position, created: created, slots: slots,
      witness: try catchUp.trust.sealWitness(of: vaultID))
    do {
      return .base(try search.table(state, &catchUp, progress: progress))
    } catch let error as FullNeeded {
      return try full(error.reason)
    }
  }

  /// Returns a full archive's basis, with the reason.
  ///
  /// - Throws: ``PublishError/notDifferential(_:)`` if only a differential archive is acceptable.
  func full(_ reason: FullReason) throws(PublishError) -> Basis {
    guard options.history != .differential else { throw .notDifferential(reason) }
    return .nothing(reason)
  }

  /// Keeps what later archives can be made from; without it they are full ones, and nothing is lost.
  func keepTable(
    _ pass: HistoryPass?, of written: WrittenArchive, in paths: [String]
  ) -> (any Error)? {
    guard let pass, pass.base == nil else { return nil }
    do {
      guard let table = BaseTableDraft(pass, of: written, slots: SlotNote(slots)) else {
        throw PublishError.notDifferential(.tooManyRecords)
      }
      var note = VaultState.Base(digest: written.digest.hex)
      note.slotsForTheLongTerm = written.slotsForTheLongTerm
      for path in paths { note.verified[Target(holding: path).place] = Int64(clamping: created) }
      try state.keep(baseTable: table, note, of: vaultID)
      return nil
    } catch {
      return error
    }
  }
}

extension Publication.Place {
  /// Returns, for each slot of a base, whether it withstands quantum computers.
  ///
  /// As recorded when the base was made, because an archive does not show a plugin slot's kind; else as its header
  /// states.
  func slotsForTheLongTerm(of base: BaseReference) -> [Bool] {
    if let note = known.base, note.digest == base.digest.hex, let slots = note.slotsForTheLongTerm {
      return slots
    }
    let archive = found.first { $0.statedDigest == base.digest }
    return archive?.slots.map(\.isForTheLongTerm) ?? []
  }
}

/// Ends the writing of a differential archive: a full one has to be made.
struct FullNeeded: Error, Equatable {
  let reason: FullReason
}
