internal import FuekiArchive
public import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet
internal import GRDB

/// Collects a wallet's own data directory: its store and its keychain, as they were at one moment.
public struct StoreCollector: Collector {
  private static let attempts = 3

  private let directory: String
  private let opening: KeychainOpening?
  private let encodings: [ShareEncoding]

  /// - Parameters:
  ///   - directory: the data directory.
  ///   - opening: what opens its keychain; nil where there is nothing to open it with.
  ///   - encodings: those that key shares' secrets can be read in, to say what their backup is worth.
  public init(
    dataDirectory directory: String, keychain opening: KeychainOpening?,
    encodings: [ShareEncoding] = [.scalar]
  ) {
    self.encodings = encodings
    self.directory = directory
    self.opening = opening
  }

  /// "store".
  public var name: String { "store" }
  /// True.
  public var isStore: Bool { true }

  /// Adds the store's records as batches to be read later, and the keychain's secrets.
  ///
  /// - Throws: ``StoreError``, ``CollectError/keychain(_:)``, or ``CollectError/sourceKeepsChanging(name:)`` where the
  ///   keychain was written each time the store was looked at.
  public func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    let (snapshots, keychain) = try agreeingSources(request)
    var report = SourceReport(source: name)
    let sourced = bundle.sourced
    let secrets = SecretCollection(request, keychain, snapshots)
    let added = try secrets.add(to: &bundle, &report)
    let records = RecordCollection(request, snapshots)
    let files = try records.add(to: &bundle, &report, descriptors: added.descriptors)
    bundle.report(
      store: report,
      try records.findings(keychain, encodings, beside: sourced, files: added.files + files))
  }

  /// A keychain and a state of the store that belong together: the first was not written meanwhile.
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
