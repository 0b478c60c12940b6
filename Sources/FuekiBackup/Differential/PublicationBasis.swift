internal import FuekiArchive
internal import FuekiCrypto

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

  /// Finds a base that the archive can be made from; nil if no differential archive is wanted.
  ///
  /// Targets that lack the base get it from those that have it.
  ///
  /// - Throws: As ``full(_:)``, and what reading throws.
  func basis(
    _ position: VaultLineage.Position, _ catchUp: inout CatchUp, _ state: LockedState,
    _ progress: (BackupProgress) throws -> Void
  ) throws -> Basis? {
    guard let history else { return nil }
    let search = BaseChoice(
      choice: history, vaultID: vaultID, position: position, created: created, slots: slots,
      witness: try catchUp.trust.sealWitness(of: vaultID))
    do {
      return .base(try search.table(state, &catchUp, progress: progress))
    } catch let error as FullNeeded {
      return try full(error.reason)
    }
  }

  /// An archive that holds everything, and why.
  ///
  /// - Throws: ``PublishError/notDifferential(_:)`` where nothing but a differential archive will do.
  func full(_ reason: FullReason) throws(PublishError) -> Basis {
    guard history != .differential else { throw .notDifferential(reason) }
    return .nothing(reason)
  }

  /// Keeps what later archives can be made from; without it they are full ones, and nothing is lost.
  func keepTable(
    _ pass: HistoryPass?, of written: WrittenArchive, in paths: [String], _ state: LockedState
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

  /// As whoever made the base knew it, for of a plugin's slot nothing in an archive tells; else as its header says.
  static func slotsForTheLongTerm(
    of base: BaseReference, _ known: VaultState, _ found: [StoredArchive]
  ) -> [Bool] {
    if let note = known.base, note.digest == base.digest.hex, let slots = note.slotsForTheLongTerm {
      return slots
    }
    let archive = found.first { $0.statedDigest == base.digest }
    return archive?.slots.map(\.isForTheLongTerm) ?? []
  }
}
