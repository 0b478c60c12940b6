internal import FuekiArchive
internal import FuekiBackup

/// The exit statuses that scripts rely on, as listed in fueki-backup(1).
///
/// A command returns or throws: either an error that the table of failures explains, or only a status if everything was
/// already reported.
package enum ExitStatus: Int32, CaseIterable, Error {
  case done = 0
  case failed = 1
  case partial = 3
  case notFound = 10
  case locked = 11
  case wrongSecret = 12
  case notAnArchive = 19
  case damaged = 20
  case incomplete = 21
  case forged = 22
  case untrusted = 23
  case older = 24
  case forked = 25
  case baseMissing = 26
  case besideDamaged = 27
  case tooNew = 30
  case overLimit = 32
  case wouldOverwrite = 40
  case stopped = 41
  case resyncIncomplete = 50
  case differs = 60
  case usage = 64
  case interrupted = 130
  case brokenPipe = 141

  /// The id that JSON errors carry: a verdict's own, where the status stands for one.
  var id: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .partial: "partial"
    case .notFound: "not-found"
    case .locked: "locked"
    case .wouldOverwrite: "would-overwrite"
    case .stopped: "stopped"
    case .resyncIncomplete: "resync-incomplete"
    case .differs: "differs"
    case .usage: "usage"
    case .besideDamaged: "beside-damaged"
    case .interrupted: "interrupted"
    case .brokenPipe: "broken-pipe"
    case .wrongSecret, .notAnArchive, .damaged, .incomplete, .forged, .untrusted, .older, .forked, .tooNew,
      .overLimit, .baseMissing:
      Verdict.allCases.first { ExitStatus($0) == self }?.rawValue ?? "failed"
    }
  }

  /// Ends the command with this status; returns for a success.
  func end() throws {
    guard self == .done else { throw self }
  }
}

extension ExitStatus {
  /// The status that a verdict ends with.
  init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .intact: .done
      case .notAnArchive: .notAnArchive
      case .incomplete: .incomplete
      case .damaged: .damaged
      case .tooNew: .tooNew
      case .untrusted: .untrusted
      case .older: .older
      case .forked: .forked
      case .wrongSecret: .wrongSecret
      case .overLimit: .overLimit
      case .forged: .forged
      case .baseMissing: .baseMissing
      case .unreadable: .failed
      }
  }
}

extension ExitStatus {
  /// The status of a target that cannot be used.
  init(_ error: TargetError) {
    self =
      switch error {
      case .noTarget, .otherFileSystem: .notFound
      case .malformedTarget, .appendOnly, .holdsPrivateKeys: .usage
      case .noWholeCopy, .damagedCopy: .damaged
      case .readBackDiffers, .checksumDiffers: .failed
      }
  }

  /// The status of an archive that is not found.
  init(_ error: FindingError) {
    self =
      switch error {
      case .noArchive, .noArchives, .isFolder: .notFound
      case .denied: .failed
      case .ambiguous: .usage
      case .severalVaults: .untrusted
      case .unusableNewest(_, let verdict, _): ExitStatus(verdict)
      }
  }

  /// The status of an archive that does not fit into its vault's lineage.
  init(_ error: LineageError) {
    self =
      switch error {
      case .olderThanKnown: .older
      case .forked, .unknownSuccessor, .implausibleSequence: .forked
      case .unknownLineage, .inDoubt, .untried, .notMine, .secondVault: .untrusted
      case .elsewhere: .differs
      case .unsignedSuccessor, .retiredSigner: .usage
      }
  }

  /// The status of a source that does not provide its contents.
  init(_ error: CollectError) {
    self =
      switch error {
      case .shareID, .recordID, .sourceKeepsChanging: .failed
      case .keychain(.missingSecret), .keychain(.wrongSecret), .keychain(.notThere): .wrongSecret
      case .keychain(.damaged): .damaged
      case .keychain(.newer): .tooNew
      case .tooMuch: .overLimit
      }
  }

  /// The status of a backup that is not published.
  init(_ error: PublishError) {
    self =
      switch error {
      case .nothingToBackUp: .failed
      case .emptied: .differs
      case .notDifferential: .failed
      }
  }

  /// The status of faulty records.
  init(_ error: RecordsError) {
    self =
      switch error {
      case .malformedRecord: .forged
      case .newerRecords: .tooNew
      case .countDiffers: .failed
      }
  }

  /// The status of what cannot be put into its place.
  init(_ error: PlaceError) {
    self =
      switch error {
      case .notReplaceable(_, .inUse): .locked
      case .notReplaceable(_, .noExchange), .keychainDiffers: .failed
      case .wouldOverwrite, .notReplaceable: .wouldOverwrite
      }
  }

  /// The status of this machine's state that cannot be used.
  init(_ error: StateError) {
    self =
      switch error {
      case .locked: .locked
      case .damaged: .failed
      }
  }

  /// The status of keys that cannot be changed.
  init(_ error: KeyChangeError) {
    self =
      switch error {
      case .partlyOpen: .wrongSecret
      }
  }

  /// The status of a restore that cannot go on.
  init(_ error: RestoreError) {
    self =
      switch error {
      case .nothingStopped, .noWallet, .noItem: .notFound
      case .anotherArchive: .failed
      case .opensOtherScopes, .presentKeychainClosed, .opensOlder: .wrongSecret
      case .stopped: .stopped
      case .conflicts: .wouldOverwrite
      case .olderShares: .older
      case .hazards: .differs
      case .newestFails(_, let verdict, _): ExitStatus(verdict)
      }
  }
}
