internal import FuekiBackup

extension CollectError.Amount {
  fileprivate var sentence: String {
    switch self {
    case .files: "with it, an archive would hold more than \(BackupLimits.files) files"
    case .secrets:
      "with it, an archive would hold more than \(BackupLimits.secrets) key shares and private keys"
    case .secretBytes:
      "with it, the key shares and private keys of an archive would have more than "
        + "\(BackupLimits.secretBytes >> 20) MiB"
    }
  }
}

extension CollectError: Explained {
  var failure: Failure {
    switch self {
    case .shareID(let name): Failure(.failed, "the key share \(name) has no id of 16 bytes")
    case .recordID(let section):
      Failure(
        .failed, "a record of \(section) has an id that is not a packed text", meaning: "nothing was written",
        hint: "fueki-archive(5) describes packed texts")
    case .keychain(let problem): problem.failure
    case .sourceKeepsChanging(let name):
      Failure(
        .failed, "\(name) kept changing while it was being read", meaning: "nothing was written",
        hint: "try again")
    case .tooMuch(let amount): Failure(.overLimit, amount.sentence)
    }
  }
}

extension PublishError: Explained {
  var failure: Failure {
    switch self {
    case .nothingToBackUp(let leftOut):
      let named = leftOut.prefix(5) + (leftOut.count > 5 ? ["and \(leftOut.count - 5) more"] : [])
      return Failure(
        .failed, "there is nothing to back up",
        meaning: "no archive was made"
          + (named.isEmpty ? "" : ": everything was left out (\(named.joined(separator: "; ")))"),
        hint: leftOut.contains { $0.hasSuffix(WalletCollector.syncedKeysCondition) }
          ? "run again with --accept synced-keys to include secrets in the clear. "
            + "A target that others cannot read has kind = \"local\" in its [[target]]"
          : "check --from and --only")
    case .emptied(let parts):
      let all = parts.map(\.sentence).joined(separator: ", ")
      return Failure(
        .differs, "this looks like an emptied machine: \(all)",
        meaning: "no archive was made, so that backups of an empty wallet cannot replace the good ones",
        hint: "if you removed it on purpose, run again with --accept loss")
    case .notDifferential(let reason):
      return Failure(
        .failed, "no differential archive can be made: \(reason.sentence)", meaning: "nothing was published",
        hint: "\"create --full\" makes an archive of everything")
    }
  }
}

extension CollectError.KeychainProblem {
  var failure: Failure {
    switch self {
    case .missingSecret: CommandError.noSecret(.keychain).failure
    case .wrongSecret:
      Failure(
        .wrongSecret, "this secret does not open the wallet's keychain",
        meaning: "nothing was changed", hint: "check the passphrase")
    case .damaged:
      Failure(
        .damaged, "the wallet's keychain is damaged", meaning: "its key shares cannot be read here",
        hint: "restore the newest archive that verifies into another data directory")
    case .newer: Failure(.tooNew, "the wallet's keychain was made by a newer version")
    case .notThere:
      Failure(
        .wrongSecret, "the wallet's store lists key shares, but there is no keychain next to it",
        meaning: "nothing was changed", hint: "check --datadir")
    }
  }
}

extension EmptiedPart {
  /// The missing part of the last archive.
  var sentence: String {
    switch self {
    case .wallets(let count): "\(Readable.count(count, "wallet")) of the last archive and none now"
    case .files(let count): "\(Readable.count(count, "file")) of the last archive and none now"
    case .secrets(let count): "\(Readable.count(count, "secret")) of the last archive and none now"
    case .scope(let name, let records):
      "\(Readable.count(records, "record")) of the last archive in \(name) and none now"
    }
  }
}

extension FullReason {
  /// Why the archive is a full one, after "because".
  var sentence: String {
    switch self {
    case .asked: "you asked for one"
    case .noTable: "this machine has no full archive yet that a differential one could build on"
    case .damagedTable: "this machine's record of the last full archive is damaged"
    case .noHistory: "the last full archive has no history, which alone a differential one can leave out"
    case .due: "the last full archive is as old as full_every allows"
    case .baseMissing(let target): "\(target) does not have the last full archive"
    case .baseDamaged(let target): "the last full archive is damaged in \(target)"
    case .baseUnproven(let target):
      "nothing shows that the last full archive in \(target) still opens: no signature covers its seals"
    case .otherSecrets: "the last full archive does not open with the same secrets"
    case .otherLineage: "the vault's history does not continue from the last full archive"
    case .tooLarge: "the changes are larger than a quarter of the last full archive"
    case .tooManyChanges: "more records changed than a differential archive can hold"
    case .tooManyRecords: "the history has more records than this machine can track"
    case .longIdentity: "a removed record has an id that is too long to store"
    case .comesToOther: "what was written did not match what was collected, and was discarded"
    }
  }

  /// Whether the reason requires attention.
  var isTrouble: Bool {
    switch self {
    case .damagedTable, .baseMissing, .baseDamaged, .baseUnproven, .comesToOther: true
    case .asked, .noTable, .noHistory, .due, .otherSecrets, .otherLineage, .tooLarge, .tooManyChanges,
      .tooManyRecords, .longIdentity:
      false
    }
  }

  /// The code for scripts.
  var code: String {
    switch self {
    case .asked: "asked"
    case .noTable: "no-table"
    case .damagedTable: "damaged-table"
    case .noHistory: "no-history"
    case .due: "due"
    case .baseMissing: "base-missing"
    case .baseDamaged: "base-damaged"
    case .baseUnproven: "base-unproven"
    case .otherSecrets: "other-secrets"
    case .otherLineage: "other-lineage"
    case .tooLarge: "too-large"
    case .tooManyChanges: "too-many-changes"
    case .tooManyRecords: "too-many-records"
    case .longIdentity: "long-identity"
    case .comesToOther: "comes-to-other"
    }
  }
}
