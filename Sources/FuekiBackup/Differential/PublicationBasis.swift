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
