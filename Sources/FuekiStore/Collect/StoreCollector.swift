internal import FuekiArchive
public import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet
internal import GRDB

/// Collects a wallet's own data directory: a consistent snapshot of its store and its keychain.
public struct StoreCollector: Collector {
  private static let attempts = 3

  private let directory: String
  private let opening: KeychainOpening?
  private let encodings: [ShareEncoding]
  private let carried: CarriedCopies?

  /// - Parameters:
  ///   - directory: the data directory.
  ///   - opening: the secrets for its keychain; nil if none are available.
  ///   - encodings: the known encodings of key shares' secrets, to assess the value of their backup.
  ///   - carried: compares the copies of other programs' files with the files themselves; nil to compare none.
  public init(
    dataDirectory directory: String, keychain opening: KeychainOpening?,
    encodings: [ShareEncoding] = [.scalar], comparing carried: CarriedCopies? = nil
  ) {
    self.carried = carried
    self.encodings = encodings
    self.directory = directory
    self.opening = opening
  }

  /// "store".
  public var name: String { "store" }
  /// True.
  public var isStore: Bool { true }

  /// Adds the store's records as batches for later reading, and the keychain's secrets.
  ///
  /// - Throws: ``StoreError``, ``CollectError/keychain(_:)``, or ``CollectError/sourceKeepsChanging(name:)``
  ///   if the keychain changed during every attempt.
  public func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    let (snapshots, keychain) = try agreeingSources(request)
    var report = SourceReport(source: name)
    let sourced = bundle.sourced
    let secrets = SecretCollection(request, keychain, snapshots, comparing: carried)
    var stale = StaleCopies()
    let added = try secrets.add(to: &bundle, &report, &stale)
    let records = RecordCollection(request, snapshots, comparing: carried)
    let files = try records.add(to: &bundle, &report, &stale, descriptors: added.descriptors)
    report.exclude(stale)
    bundle.report(
      store: report,
      try records.findings(keychain, encodings, beside: sourced, files: added.files + files))
  }

  /// Returns a keychain and a consistent snapshot of the store: the keychain did not change in between.
  private func agreeingSources(_ request: CollectionRequest) throws -> (StoreSnapshots, Keychain?) {
    for _ in 0..<Self.attempts {
      let before = try readable { () throws(KeychainError) in try Keychain.currentStamp(in: directory) }
      let keychain = before != nil && request.selection.touches(.secrets) ? try openKeychain() : nil
      let snapshots = try StoreSnapshots(of: directory)
      let after = try readable { () throws(KeychainError) in try Keychain.currentStamp(in: directory) }
      if before == after, keychain == nil || keychain?.stamp == after { return (snapshots, keychain) }
    }
    throw CollectError.sourceKeepsChanging(name: name)
  }

  private func openKeychain() throws -> Keychain {
    guard let opening, !opening.secrets.isEmpty else { throw CollectError.keychain(.missingSecret) }
    return try readable { () throws(KeychainError) in try Keychain.read(directory, with: opening) }
  }

  private func readable<Answer>(_ body: () throws(KeychainError) -> Answer) throws -> Answer {
    do {
      return try body()
    } catch {
      guard let problem = error.problem else { throw error }
      throw CollectError.keychain(problem)
    }
  }
}
