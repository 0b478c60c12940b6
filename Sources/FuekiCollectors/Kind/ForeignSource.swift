internal import FuekiSystem
internal import FuekiWallet
public import FuekiSources
public import FuekiCrypto

/// A source of another program's files, parsed to records.
///
/// The same records are used for a backup (`create --from`) and for the wallet's own store (`import`).
public protocol ForeignSource: Collector {
  /// The kind of its files.
  var kind: CollectorKind { get }
  /// The file or directory.
  var path: String { get }
  /// Reads the files' requested contents.
  ///
  /// - Throws: errors that prevent reading the source at all; those of single files are in the records'
  ///   report.
  func read(_ request: CollectionRequest) throws -> ImportedRecords
}

extension ForeignSource {
  /// Adds the records and one report to a bundle.
  public func collect(_ request: CollectionRequest, into bundle: inout BundleBuilder) throws {
    var request = request
    request.isForBackup = true
    request.work = WorkBudget()
    try recordsOrFiles(request).add(to: &bundle, source: name)
  }

  /// Returns the files' contents or, if parsing exceeds the budget, the unread files.
  func recordsOrFiles(_ request: CollectionRequest) throws -> ImportedRecords {
    do {
      return try read(request)
    } catch  where UnreadFiles.takes(error, request) {
      return try UnreadFiles(kind: kind.name, path: path, request: request).keepAll(kind.reach)
    }
  }
}

/// A path whose files are read as those of a kind, by this process.
struct KindSource: ForeignSource {
  let kind: CollectorKind
  let path: String
  /// Asks for the password of encrypted files.
  var passphrase: SourcePassphrase?
  /// Copies files that their programs may be writing.
  var copying: FileCopying?

  var name: String { "\(kind.name):\(path)" }

  func read(_ request: CollectionRequest) throws -> ImportedRecords {
    try SourceReading(source: self, request: request).read()
  }

  /// Whether the path is a directory that can be opened.
  var isFolder: Bool { (try? Directory.open(path)) != nil }
}

/// Why a file cannot be read as the given kind.
public enum ForeignFileError: Error, Equatable, Sendable {
  /// It is of another kind, or damaged.
  case notThisFormat(reason: String)
  /// It is from an unknown newer version.
  case tooNew(reason: String)
  /// The passphrase is wrong.
  case wrongPassphrase(file: String)
  /// It needs a passphrase in an unattended run.
  case passphraseNeeded(file: String)
  /// It demands more than any wallet's file needs.
  case overLimit(reason: String)

  /// A sentence for people.
  public var sentence: String {
    switch self {
    case .notThisFormat(let reason), .tooNew(let reason), .overLimit(let reason): reason
    case .wrongPassphrase(let file): "the passphrase does not open \(file)"
    case .passphraseNeeded(let file): "\(file) is encrypted by its wallet, and needs that passphrase"
    }
  }
}

/// A source's password, requested at most once, and only if a file needs it.
final class AskedPassword {
  /// Why a password that is there could not be given, which is no fault of the file that needs it.
  struct Refusal: Error { let error: any Error }

  /// The source's budget.
  let work: WorkBudget
  private let passphrase: SourcePassphrase?
  private var known: SharedSecret?

  init(_ passphrase: SourcePassphrase?, work: WorkBudget) {
    (self.passphrase, self.work) = (passphrase, work)
  }

  /// Returns the password; nil if unattended.
  func read() throws -> SharedSecret? {
    guard let passphrase else { return nil }
    try work.spend(1, on: .derivations)
    if let known { return known }
    do {
      let read = try passphrase.read()
      known = read
      return read
    } catch {
      throw Refusal(error: error)
    }
  }
}

/// Asks for the passphrase of a file encrypted by its own program.
///
/// It asks only when a file turns out to need it.
public struct SourcePassphrase: Sendable {
  private let ask: @Sendable () throws -> SharedSecret

  /// Creates a source of a passphrase.
  ///
  /// Its bytes are as typed, not normalised.
  public init(_ ask: @escaping @Sendable () throws -> SharedSecret) { self.ask = ask }

  /// The passphrase's bytes.
  ///
  /// - Throws: the source's errors if it has none.
  func read() throws -> SharedSecret { try ask() }
}
