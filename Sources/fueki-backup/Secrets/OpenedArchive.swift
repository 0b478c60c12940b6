internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension StoredArchive {
  /// Returns the archive, after verifying every byte that matters.
  ///
  /// - Parameters:
  ///   - trusted: keys of which at least one must have signed it; nil requires none.
  ///   - progress: receives the bytes read so far.
  /// - Returns: the archive.
  /// - Throws: ``ArchiveError``, and errors from `progress`.
  func intact(
    trusting trusted: Set<Ed25519.PublicKey>? = nil, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> IntactArchive {
    let report = try verify(trusting: trusted, progress: progress)
    guard let intact = report.intact else { throw ArchiveError.damaged(report.damage.first ?? .structure) }
    return intact
  }

  /// Verifies every byte, then opens the archive, for commands that read its contents and restore nothing.
  ///
  /// The secrets are requested only after the archive is known to be intact. If they open nothing, the error includes
  /// the names of the slots. A differential archive's base is searched with `bases`; nil leaves the history closed.
  /// `explain` returns the error to report, from the archive's error and the secrets that were given.
  func opened(
    with secrets: @autoclosure () throws -> UnlockingSecrets, names: SlotNames = .none, bases: BaseFinder?,
    trusting trusted: Set<Ed25519.PublicKey>? = nil,
    progress: (UInt64) throws -> Void = { _ in },
    explaining explain: (ArchiveError, UnlockingSecrets?) throws -> any Error = { error, _ in error }
  ) throws -> OpenArchive {
    try names.explaining(self) {
      var given: UnlockingSecrets?
      do {
        let intact = try intact(trusting: trusted, progress: progress)
        let unlocking = try secrets()
        given = unlocking
        let alone = try intact.unlockAlone(with: unlocking)
        guard let bases else { return try alone.missingBase == nil ? alone.whole() : alone.withoutHistory() }
        return try alone.joined(with: unlocking, bases: bases.candidates) { bytes, _ in try progress(bytes) }
      } catch let error as ArchiveError {
        throw try explain(error, given)
      }
    }
  }
}

/// The configuration's names for a vault's slots.
///
/// Archives contain no such names.
struct SlotNames {
  private let names: [String]

  /// No slot has a name.
  static let none = SlotNames([])

  init(_ names: [String]) { self.names = names }

  /// Returns the name of a slot of an archive, or of planned slots.
  ///
  /// An archive with another number of slots is from another time, and its slots may have other owners.
  subscript(_ number: Int, of count: Int) -> String? {
    count == names.count && names.indices.contains(number - 1) ? names[number - 1] : nil
  }

  /// A slot as messages name it: `slot 1 (paper)`.
  func label(_ number: Int, of count: Int) -> String {
    "slot \(number)" + (self[number, of: count].map { " (\($0))" } ?? "")
  }

  /// Does what fails where nothing opens the archive, and names then what would have.
  func explaining<Answer>(_ archive: StoredArchive, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as ArchiveError where error == .wrongSecret {
      throw failure(error, archive)
    }
  }

  /// Returns the failure if no secret opens an archive, with the names of its slots.
  func failure(_ error: ArchiveError, _ archive: StoredArchive) -> Failure {
    var failure = error.failure
    if error == .wrongSecret {
      failure.hint =
        "it opens with \(archive.openers). For a passphrase, check keyboard layout, capitals and spaces"
    }
    let called = archive.slots.compactMap { slot in
      self[slot.number, of: archive.slots.count].map { "slot \(slot.number) is called \"\($0)\"" }
    }
    if error == .wrongSecret, !called.isEmpty {
      failure.hint = called.joined(separator: ", ") + ". Check keyboard layout, capitals and spaces"
    }
    return failure
  }
}

extension StoredArchive {
  /// The secrets that open it, one kind after the other.
  var openers: String {
    var kinds: [String] = []
    for slot in slots {
      let kind = slot.type.advice?.opener ?? slot.type.name
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds.joined(separator: ", or with ")
  }
}

extension Configuration {
  /// Returns the names of an archive's slots, from the selected vault or the archive's vault.
  func slotNames(of archive: StoredArchive) -> SlotNames {
    let named = meant ?? vaults.first { $0.id == archive.facts.vaultID }
    guard let named, named.id == nil || named.id == archive.facts.vaultID else { return .none }
    return SlotNames(named.slotNames)
  }
}
