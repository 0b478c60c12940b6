internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem
internal import FuekiWallet

extension Failure {
  /// The one table from errors to sentences, hints and exit statuses.
  package init(describing error: any Error) {
    switch error {
    case let failure as Failure.Thrown: self = failure.failure
    case let error as CommandError: self.init(error)
    case let problem as SignedCheckpoint.Problem: self.init(problem)
    case let error as ArchiveError: self.init(error)
    case let error as BackupError: self.init(error)
    case let error as RestoreError: self.init(error)
    case let error as KeychainError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as SystemError: self.init(error)
    case let error as SelectionError: self = .usage(error.sentence)
    case let error as CollectorKindError: self = .usage(error.sentence)
    case let error as ForeignFileError: self.init(error)
    case let error as ExportLimitError:
      self.init(
        .overLimit, error.sentence,
        meaning: "nothing was exported; the archive was made to exhaust this machine")
    case BundleError.closedScopes(let scopes):
      self = .usage(
        "nobody could open \(scopes.map(\.name).joined(separator: " and ")): give a passphrase, or a recipient without scopes"
      )
    case let error as BundleError:
      self.init(.overLimit, "the archive would not fit the format: \(error.sentence)")
    case let error as CryptoError: self.init(.failed, error.sentence, meaning: "nothing was changed")
    case let error as SecretRecordError: self.init(error)
    default: self.init(.failed, Self.sentence(of: error))
    }
  }

  /// The sentence of an error that mostly is told as a part of another; what no case names has no words of its own.
  private static func sentence(of error: any Error) -> String {
    switch error {
    case let error as AgeKeyError: error.sentence
    case let error as AgeKeyError.Problem: error.sentence
    case let error as SLIP39Error: error.sentence
    case let error as Bech32Error: error.sentence
    case let error as PassphraseProblem: error.sentence
    case let error as SignerList.Problem: error.sentence
    case let error as SigningKeyError: Failure(signingKey: "the signing key's file", error).message
    case let error as KeyFileProblem: error.sentence
    case let error as SyncFailure: error.sentence
    case let error as SyncError: error.sentence
    case let error as TransportError: error.sentence
    case let error as AddressProblem: "an address \(error.sentence)"
    case let error as DescriptorError: "a descriptor \(error.sentence)"
    case let error as ExtendedKeyError: error.sentence
    case let error as ManifestError: error.sentence
    case let error as FramingError: error.sentence
    case let error as WireError: "a record cannot be read: \(error.sentence)"
    case let error as CompressionError: error.sentence
    default: "an error stopped the run that this program has no words for"
    }
  }

  private init(_ error: ForeignFileError) {
    switch error {
    case .notThisFormat: self.init(.failed, error.sentence, meaning: "nothing was changed")
    case .tooNew:
      self.init(.tooNew, error.sentence, meaning: "nothing was changed", hint: "install a newer fueki-backup")
    case .wrongPassphrase:
      self.init(
        .wrongSecret, error.sentence, meaning: "nothing was changed",
        hint: "it is the passphrase that the other wallet knows; check keyboard layout, capitals and spaces")
    case .passphraseNeeded:
      self.init(
        .wrongSecret, error.sentence, meaning: "nothing was changed",
        hint: "import it, with --source-passphrase-file")
    case .overLimit: self.init(.overLimit, error.sentence, meaning: "nothing was changed")
    }
  }

  /// A failure that was described where it was noticed.
  struct Thrown: Error {
    let failure: Failure
  }

  private init(_ error: CommandError) {
    switch error {
    case .usage(let message): self = .usage(message)
    case .configuration(let problem):
      self.init(
        .usage, problem.path + (problem.line.map { ", line \($0)" } ?? "") + ": \(problem.what)",
        meaning: "nothing was done", hint: problem.hint ?? "fueki-backup-config(5) lists every key")
    case .signingKey(let path, let error): self.init(signingKey: path, error)
    case .noSecret(let secret):
      self.init(
        .wrongSecret, "\(secret.rawValue) is needed, and there is no terminal to ask on",
        meaning: "nothing was changed",
        hint: secret.hint)
    case .secretUnreadable(let source, let reason):
      self.init(.wrongSecret, "no secret came from \(source): \(reason)", meaning: "nothing was changed")
    case .othersCanRead(let path):
      self.init(
        .usage, "others can read \(path)", meaning: "a secret that others can read protects nothing",
        hint: "chmod 600 \(path)")
    case .othersCanChange(let path, let hand):
      self.init(
        .usage, hand.sentence(path),
        meaning: "who can change it can add a key of their own; nothing was done",
        hint: hand.remedy)
    case .weakPassphrase(let time):
      self.init(
        .usage, "this passphrase can be guessed: it lasts \(time)", meaning: "nothing was written",
        hint: "answer the prompt with nothing to have one made, or insist with --allow-weak-passphrase")
    case .noPassphrase(let problem):
      self.init(
        .usage, "this is no passphrase: \(problem.sentence)", meaning: "nothing was changed",
        hint: "a passphrase has 1 to 1024 bytes of text, without NUL")
    case .passphrasesDiffer: self.init(.usage, "the two passphrases differ", meaning: "nothing was written")
    case .privateKeysToSynced(let target):
      self.init(
        .usage, "private keys would leave for \(target), which counts as a synced folder",
        meaning: "whoever reads that folder and guesses the passphrase would have the money",
        hint: "insist with --private-keys-to-synced")
    case .closedSlots(let numbers):
      self.init(
        .wrongSecret,
        "nothing that was given opens slot \(numbers.map { "\($0)" }.joined(separator: ", ")), so it cannot be sealed anew",
        meaning: "whoever opens the vault with it could not open the next archive; nothing was written",
        hint: "give its secret too, or --keep N=age1… (or the guardians' file), or give it up with --drop N")
    case .noSecretGiven(let depth): self = .usage("--depth \(depth) needs a secret that opens the archive")
    case .comparisonFailed(let what): self.init(.differs, what)
    }
  }

  private init(_ error: StoreError) {
    switch error {
    case .notThere(let path):
      self.init(
        .notFound, "there is no wallet store at \(path)", hint: "give --datadir, or import a wallet first")
    case .alreadyThere(let path): self.init(.wouldOverwrite, "there is a wallet store at \(path) already")
    case .newer(let schema, let path):
      self.init(
        .tooNew, "\(path) was made by a newer version (schema \(schema))", meaning: "nothing was changed",
        hint: "install the newer version")
    case .notAStore(let path): self.init(.failed, "\(path) is a database, but no wallet's store")
    case .damaged(let path):
      self.init(
        .damaged, "the wallet's store is damaged: \(path)",
        meaning: "nothing was changed",
        hint: "restore the newest archive that verifies into another data directory")
    case .danglingReference(let table, let parent, let path):
      self.init(
        .failed, "a row of \(table) refers to a row of \(parent) that is not there: \(path)",
        meaning: "another program made it, and not all of it can be read; "
          + "nothing was removed: what was there before is kept",
        hint: "look at it with \"show\" and \"diff\", or restore the newest archive into another --datadir; "
          + "remove what was there before once that is whole")
    case .noSoundKeychain(let path):
      self.init(
        .damaged, "the keychain in \(path) is damaged or missing",
        meaning: "nothing was removed: what was there before is kept",
        hint: "restore the newest archive that verifies, or put back the keychain that was there before")
    case .malformedRow(let table, let row): self.init(.failed, "row \(row) of \(table) cannot be read")
    case .noRecord(let table): self.init(.notFound, "there is no such record in \(table)")
    case .busy(let path):
      self.init(.locked, "another program holds \(path)", meaning: "nothing was changed", hint: "try again")
    case .system(let error): self.init(error)
    case .database(let code, let path): self.init(.failed, "SQLite refused \(path) (code \(code))")
    }
  }

  private init(_ error: KeychainError) {
    if let problem = error.problem {
      self.init(.keychain(problem))
      return
    }
    switch error {
    case .system(let error): self.init(error)
    case .crypto(let error): self.init(describing: error)
    case .alreadyThere(let path): self.init(.wouldOverwrite, "there is a keychain at \(path) already")
    case .changedMeanwhile(let path):
      self.init(
        .failed, "another program changed the keychain meanwhile: \(path)", meaning: "nothing was changed",
        hint: "try again")
    case .slotCount(let count):
      self.init(.failed, "a keychain cannot have \(count) slots", meaning: "nothing was changed")
    case .notThere, .damaged, .newer, .missingSecret, .wrongSecret, .overLimit:
      self.init(.failed, "the keychain cannot be used", meaning: "nothing was changed")
    }
  }

  init(_ error: SystemError) {
    let meaning = "nothing half-written is left"
    if error.isInterrupted {
      self.init(.interrupted, "interrupted", meaning: meaning)
    } else if error.isNoSpace {
      self.init(.failed, error.sentence, meaning: meaning, hint: "make room there, or choose another place")
    } else if error.isNotInstalled {
      self.init(.failed, error.sentence, meaning: meaning, hint: "apt-get install rclone")
    } else if error.isTimedOut {
      self.init(
        .failed, error.sentence, meaning: meaning,
        hint: "look at the network, or give it longer with FUEKI_DEADLINE=SECONDS")
    } else if error.isAlreadyThere {
      self.init(.wouldOverwrite, error.sentence, meaning: meaning)
    } else if error.isNotFound {
      self.init(.notFound, error.sentence)
    } else {
      self.init(.failed, error.sentence, meaning: meaning)
    }
  }
}
