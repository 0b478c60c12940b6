import FuekiArchive
import FuekiBackup
import FuekiCollectors
import FuekiCompression
import FuekiCrypto
import FuekiStore
import FuekiSync
import FuekiSystem
import FuekiWallet
import Testing
import fueki_backup

/// The messages of failures.
struct FailureTests {
  /// Every case of every error type, some several times.
  static let errors: [any Error] =
    ArchiveError.everything + BundleError.all + BackupRunErrors.everything + RestoreError.everything
    + PlacingError.all + PluginFailure.everything + PluginFailure.Fault.everything
    + StoreError.all + KeychainError.all
    + SigningKeyError.all + SignedCheckpoint.Problem.all + SignerList.Problem.all + KeyFileProblem.all
    + PassphraseProblem.all + CryptoError.everything + Bech32Error.all + AgeKeyError.Problem.all
    + AgeKeyError.everything + SLIP39Error.all + CompressionError.all + WireError.all + FramingError.all
    + SecretRecordError.everything + ManifestError.all + SelectionError.all + AddressProblem.all
    + DescriptorError.all + ExtendedKeyError.all + ForeignFileError.all + CollectorKindError.all
    + ReaderError.all
    + TransportError.all + SyncError.everything + SyncFailure.everything + CommandError.everything
    + ExportLimitError.all + WorkErrors.everything
    + [SystemError(.failed, call: "read", path: "file"), SystemError(.notFound, call: "read")]

  private struct Unheard: Error { let field = 3 }

  static func expectWords(_ text: String, of error: any Error) {
    #expect(text.count > 2, "\(error)")
    #expect(!text.contains(#/Fueki[A-Z]|Swift\./#), "a type's name: \(text)")
    #expect(!text.contains(#/[A-Za-z]\([a-z][A-Za-z]*: /#), "a case with labels: \(text)")
    #expect(!text.contains(#/\b[a-z]+[A-Z][a-z]/#), "a name of the code's: \(text)")
    #expect(!text.contains(#/Optional\(|\[\]|nil\b/#), "\(text)")
    #expect(!text.contains("no words for"), "\(error)")
  }

  private static func words(of failure: Failure) -> [String] {
    [failure.message, failure.meaning, failure.hint].compactMap { $0 }
  }

  @Test func `every case of every error is told in words`() {
    for error in Self.errors {
      for text in Self.words(of: Failure(describing: error)) { Self.expectWords(text, of: error) }
      for operation in Operation.allCases {
        for text in Self.words(of: Failure(describing: error, during: operation)) {
          Self.expectWords(text, of: error)
        }
      }
    }
  }

  @Test func `what collectors say of a file is words`() {
    let sentences =
      OWNDStoreError.everything.map(\.sentence) + ZIPError.all.map(\.sentence) + JSONError.all.map(\.sentence)
    for sentence in sentences { Self.expectWords(sentence, of: ZIPError.damaged) }
  }

  @Test func `what a resync tells of a wallet is words`() {
    for problem in WalletProblem.everything { Self.expectWords(problem.sentence, of: SyncFailure.noSource) }
    for warning in WalletWarning.everything { Self.expectWords(warning.sentence, of: SyncFailure.noSource) }
  }

  @Test func `what keeps a database from being copied is words`() {
    for error in DatabaseCopyError.all { Self.expectWords(error.sentence, of: error) }
  }

  @Test func `an unforeseen error is not spelt in Swift`() {
    let failure = Failure(describing: Unheard())
    #expect(failure.status == .failed)
    #expect(!failure.message.contains("Unheard") && !failure.message.contains("field"))
  }

  @Test(arguments: SecretRecordError.everything.filter { $0 != .outOfMemory })
  func `a malformed secret record is forged`(_ error: SecretRecordError) {
    #expect(Failure(describing: error).status == .forged)
  }

  @Test(arguments: Operation.allCases.filter { $0 != .create })
  func `only a backup speaks of a backup that was not made`(_ operation: Operation) {
    for error: any Error in [
      KeychainError.wrongSecret, CollectError.keychain(.wrongSecret), CollectError.keychain(.notThere),
      StoreError.damaged(path: "store"),
    ] {
      let create = Self.words(of: Failure(describing: error, during: .create)).joined(separator: "; ")
      #expect(create.contains("none was made"))
      let other = Self.words(of: Failure(describing: error, during: operation)).joined(separator: "; ")
      #expect(!other.contains("backup") && !other.contains("--exclude"), "\(other)")
      #expect(other.contains("nothing was "), "\(other)")
    }
  }
}
