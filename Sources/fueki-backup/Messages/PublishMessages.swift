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

extension Failure {
  /// Explains why a source does not provide its contents.
  init(_ error: CollectError) {
    let status = ExitStatus(error)
    switch error {
    case .shareID(let name): self.init(status, "the key share \(name) has no id of 16 bytes")
    case .recordID(let section):
      self.init(
        status, "a record of \(section) has an id that is not a packed text", meaning: "nothing was written",
        hint: "fueki-archive(5) describes packed texts")
    case .keychain(let problem): self.init(problem, status)
    case .sourceKeepsChanging(let name):
      self.init(
        status, "\(name) kept changing while it was being read", meaning: "nothing was written",
        hint: "try again")
    case .tooMuch(let amount): self.init(status, amount.sentence)
    }
  }

  /// Explains why the collected contents are not published.
  init(_ error: PublishError) {
    let status = ExitStatus(error)
    switch error {
    case .nothingToBackUp(let leftOut):
      let named = leftOut.prefix(5) + (leftOut.count > 5 ? ["and \(leftOut.count - 5) more"] : [])
      self.init(
        status, "there is nothing to back up",
        meaning: "no archive was made"
          + (named.isEmpty ? "" : ": everything was left out (\(named.joined(separator: "; ")))"),
        hint: leftOut.contains { $0.hasSuffix(WalletCollector.syncedKeysCondition) }
          ? "run again with --accept synced-keys to include secrets in the clear. "
            + "A target that others cannot read has kind = \"local\" in its [[target]]"
          : "check --from and --only")
    case .emptied(let parts):
      let all = parts.map(\.sentence).joined(separator: ", ")
      self.init(
        status, "this looks like an emptied machine: \(all)",
        meaning: "no archive was made, so that backups of an empty wallet cannot replace the good ones",
        hint: "if you removed it on purpose, run again with --accept loss")
    case .notDifferential(let reason):
      self.init(
        status, "no differential archive can be made: \(reason.sentence)", meaning: "nothing was published",
        hint: "\"create --full\" makes an archive of everything")
    }
  }

  private init(_ problem: CollectError.KeychainProblem, _ status: ExitStatus) {
    switch problem {
    case .missingSecret: self.init(describing: CommandError.noSecret(.keychain))
    case .wrongSecret:
      self.init(
        status, "this secret does not open the wallet's keychain",
        meaning: "nothing was changed", hint: "check the passphrase")
    case .damaged:
      self.init(
        status, "the wallet's keychain is damaged", meaning: "its key shares cannot be read here",
        hint: "restore the newest archive that verifies into another data directory")
    case .newer: self.init(status, "the wallet's keychain was made by a newer version")
    case .notThere:
      self.init(
        status, "the wallet's store lists key shares, but there is no keychain next to it",
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
