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
    case let failure as Failure: self = failure
    case let error as CommandError: self.init(error)
    case let problem as SignedCheckpoint.Problem: self.init(problem)
    case let error as ArchiveError: self.init(error)
    case let error as PluginFailure: self.init(error)
    case let error as TargetError: self.init(error)
    case let error as MendError: self.init(error)
    case let error as FindingError: self.init(error)
    case let error as LineageError: self.init(error)
    case let error as CollectError: self.init(error)
    case let error as PublishError: self.init(error)
    case let error as RecordsError: self.init(error)
    case let error as PlaceError: self.init(error)
    case let error as StateError: self.init(error)
    case let error as KeyChangeError: self.init(error)
    case let error as RestoreError: self.init(error)
    case let error as PlacingError: self.init(error)
    case is Interrupted: self.init(.interrupted, "interrupted", meaning: "nothing half-written is left")
    case let error as KeychainError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as SystemError: self.init(error)
    case let error as SelectionError:
      self.init(
        .usage, error.sentence, meaning: "nothing was done",
        hint:
          "the scopes are profile, history and secrets. The manual page fueki-backup(1) lists the sections of each"
      )
    case let error as CollectorKindError: self.init(error)
    case let error as ForeignFileError: self.init(error)
    case let error as ReaderError: self.init(.failed, error.sentence)
    case let error as WorkBudget.Exceeded:
      self.init(.overLimit, error.sentence, meaning: "nothing was changed")
    case let error as ExportLimitError: self.init(error)
    case BundleError.closedScopes(let scopes):
      self = .usage(
        "no key would open \(scopes.map(\.name).joined(separator: " and ")): add a passphrase, or a recipient without scopes"
      )
    case let error as BundleError:
      self.init(.overLimit, "the archive would not fit the format: \(error.sentence)")
    case CryptoError.interrupted: self.init(describing: Interrupted())
    case let error as CryptoError: self.init(.failed, error.sentence, meaning: "nothing was changed")
    case let error as SecretRecordError: self.init(error)
    default: self.init(.failed, Self.sentence(of: error))
    }
  }

  /// Returns the sentence of an error that usually appears as a part of another.
  ///
  /// Unlisted errors have no words of their own.
  private static func sentence(of error: any Error) -> String {
    switch error {
    case let error as AgeKeyError: error.sentence
    case let error as AgeKeyError.Problem: error.sentence
    case let error as PluginFailure.Fault: PluginFailure(program: "the plugin", fault: error).sentence
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
    default: "the run was stopped by an error that this program has no words for"
    }
  }
}
