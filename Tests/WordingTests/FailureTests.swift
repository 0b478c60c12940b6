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
  private static let system = SystemError(.failed, call: "read", path: "file")
  private static let base = BaseReference(digest: SHA256.hash([3]), sequence: 3)

  /// One of every kind that has words: the compiler asks each kind's switch for its other cases.
  static let errors: [any Error] = [
    Interrupted(), system, SystemError(.notFound, call: "read"), CryptoError.invalidPassphrase(.empty),
    CryptoError.interrupted, Bech32Error.wrongChecksum, AgeKeyError.identity(line: 3, .encoding(.mixedCase)),
    AgeKeyError.Problem.notOneKey, SLIP39Error.tooFew(have: 1, need: 2), PassphraseProblem.notText,
    CompressionError.windowTooLarge(3), AddressProblem.mixedCase, DescriptorError.unsupported(name: "musig"),
    ExtendedKeyError.notAKey, ManifestError.tooLong(byteCount: 3), FramingError.truncated(offset: 3),
    WireError.repeated(field: 3), SecretRecordError.malformed(.truncated),
    SelectionError.unknown(name: "walets", nearest: "wallets"),
    ArchiveError.inBase(base, .damaged(.chunk(stream: .history, chunk: 3))), ArchiveError.unreadable(system),
    ArchiveError.pluginFailed(PluginFailure(program: "age-plugin-x", fault: .broke(.outOfPlace))),
    ArchiveError.tooFewShares(
      GuardianShortfall(
        slot: 1, threshold: 2, members: [], problems: [.init(place: 1, fault: .notAShare(.checksum))])),
    PluginFailure(program: "age-plugin-x", fault: .ended(.exited(3), errors: "some words")),
    PluginFailure.Fault.noKey, BundleError.closedScopes([.profile, .history]), BundleError.slotCount(0),
    TargetError.noTarget(path: "target"), MendError.beyondParity(path: "file", needed: 7, available: 5),
    FindingError.denied(DeniedArchives(folder: "folder", owner: 1000, count: 2)),
    LineageError.untried(["one.fueki", "two.fueki"], tried: 8), CollectError.keychain(.notThere),
    PublishError.emptied([.wallets(5), .files(1), .secrets(2), .scope("history", records: 40)]),
    PublishError.notDifferential(.baseMissing(target: "target")), RecordsError.newerRecords(schema: 3),
    PlaceError.notReplaceable(path: "data", obstacle: .foreignEntry(name: "socket")),
    StateError.locked(owner: nil), KeyChangeError.partlyOpen(closed: ["secrets"]),
    RestoreError.newestFails(path: "file", verdict: .damaged, fallback: nil),
    PlacingError.sharedFolder(path: "folder"), ExportLimitError.pieces(section: "files"),
    KeyFileProblem.damaged("it is cut off"), SigningKeyError.newer("title"),
    SignedCheckpoint.Problem.notAuthentic, SignerList.Problem.noSigner(line: 3),
    StoreError.danglingReference(table: "assets", parent: "wallets", path: "store"),
    StoreError.invalid(table: "wallets", problems: ["there is no id"]),
    KeychainError.changedMeanwhile(path: "keychain"), KeychainError.wrongSecret,
    ForeignFileError.tooNew(reason: "it is of a later version"),
    CollectorKindError.unknownKind(name: "elektrum", known: ["electrum"]),
    CollectorKindError.noPath(text: "x"),
    ReaderError.ended(.killed(signal: 9)), WorkBudget.Exceeded(.visits),
    TransportError.tooLarge(limit: 1 << 20),
    SyncError.notJSON(.truncated(offset: 3), of: "the block"), SyncError.program(name: "bark", .notInstalled),
    SyncFailure.allFailed([
      SourceAttempt(SourcePlace(kind: "bark", server: "/home/ark"), .descriptor(.syntax, checksum: nil))
    ]), CommandError.configuration(ConfigurationProblem(path: "config.toml", line: 3, what: "no such key")),
    CommandError.foreignSecret(path: "file", .owner(path: "file", user: 1000)),
    CommandError.noSecret(.archive),
    CommandError.signingKey(path: "signing.key", .malformed),
  ]

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

  @Test func `every kind of error is told in words`() {
    for error in Self.errors {
      for text in Self.words(of: Failure(describing: error)) { Self.expectWords(text, of: error) }
      for operation in Operation.allCases {
        for text in Self.words(of: Failure(describing: error, during: operation)) {
          Self.expectWords(text, of: error)
        }
      }
    }
  }

  @Test func `what is no failure of the run is words, too`() {
    let place = SourcePlace(kind: "ethereum-rpc", server: "https://a.test")
    let sentences = [
      OWNDStoreError.malformed(.truncated, record: 3).sentence, ZIPError.overlapping.sentence,
      JSONError.tooDeep(offset: 3).sentence, DatabaseCopyError.busy(path: "wallet.dat").sentence,
      WalletProblem.foundNothing(place, recorded: "3", .evm).sentence,
      WalletProblem.partial(place, .looked(blocks: 3, reached: 4, of: 5)).sentence,
      WalletWarning.behind(place, height: 3, known: 4).sentence,
      WalletWarning.found(.beyondGap(transactions: 3)).sentence,
    ]
    for sentence in sentences { Self.expectWords(sentence, of: ZIPError.damaged) }
  }

  @Test func `an unforeseen error is not spelt in Swift`() {
    let failure = Failure(describing: Unheard())
    #expect(failure.status == .failed)
    #expect(!failure.message.contains("Unheard") && !failure.message.contains("field"))
  }

  @Test(arguments: [SecretRecordError.malformed(.truncated), .missing(field: 3)])
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
