internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem
internal import FuekiWallet

/// A wallet that a `[[source]]` names, or that was found.
struct WalletSource {
  /// The source as `--from` has it.
  let name: String
  /// Whether to back up its secrets in the clear; nil if unspecified.
  var includesPrivateKeys: Bool?
  var passphrase: SourcePassphrase?
  /// Nothing is at the path.
  var isMissing = false
  /// The folder that could not be searched for the source.
  private(set) var unsearched: ExactText?

  init(name: String) { self.name = name }

  private init(_ settings: SourceSettings, at path: String, _ console: Console) {
    name = "\(settings.kind):\(path)"
    includesPrivateKeys = settings.includesPrivateKeys
    passphrase = settings.password.map { source in
      SourcePassphrase { try PasswordFailure.wrapping { try source.read(console).secret } }
    }
  }

  /// Returns the current sources of a table: one for each path that matches its pattern.
  ///
  /// If nothing matches, it is a missing one. Directories that could not be searched are unreadable.
  static func all(
    _ settings: SourceSettings, _ console: Console, unreadable: inout Set<ExactText>
  ) -> [WalletSource] {
    guard settings.kind != SourceSettings.nothing else { return [] }
    var unsearched: Set<ExactText> = []
    let paths = settings.paths(unreadable: &unsearched)
    unreadable.formUnion(unsearched)
    guard paths.isEmpty else { return paths.map { WalletSource(settings, at: $0, console) } }
    var missing = WalletSource(settings, at: settings.path, console)
    missing.unsearched = unsearched.min()
    missing.isMissing = true
    return [missing]
  }

  /// Each source once: two patterns can name one wallet, and its records may be in an archive only once.
  static func unique(_ sources: [WalletSource], besides names: [String]) -> [WalletSource] {
    // By their bytes, as ``SourceList/check(_:)`` has it.
    var seen = Set(names.map(\.pathBytes))
    return sources.filter { seen.insert($0.name.pathBytes).inserted }
  }
}

/// Why the command for a wallet's password gave none.
private struct PasswordFailure: Error {
  let reason: String

  /// Tells a failure of the command from one of the wallet; an interruption stays one.
  static func wrapping<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch {
      guard SourceErrors.reason(error) != nil else { throw error }
      throw PasswordFailure(reason: Failure(describing: error).message)
    }
  }
}

/// Collects a wallet, or says that it is not there: one wallet that cannot be read today keeps no other out of the
/// archive.
struct WalletCollector: Collector {
  let source: WalletSource
  let keys: KeysDecision
  let copying: FileCopying
  let readers: Readers?

  /// The condition for including secrets in the clear where nothing was decided.
  static let syncedKeysCondition = "for a synced target only with --accept synced-keys"

  /// Returns the condition for including a listed wallet's secrets in the clear, when they are left out.
  static func condition(_ keys: KeysDecision) -> String {
    keys == .declined
      ? DeclinedKeys.Decision.target.condition
      : syncedKeysCondition
  }

  var name: String { source.name }

  func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    var request = request
    let isAskedFor = request.includesPrivateKeys || keys == .included
    let isWanted = source.includesPrivateKeys ?? true
    request.includesPrivateKeys = isAskedFor && isWanted
    request.secretsAreUnwanted = !isWanted || keys == .declined && !isAskedFor
    request.condition =
      isWanted
      ? Self.condition(keys)
      : DeclinedKeys.Decision.source.condition
    if let folder = source.unsearched {
      throw SystemError(.notPermitted, call: "opendir", path: folder.text)
    }
    guard !source.isMissing else {
      return bundle.report(
        .failed(name, "nothing is there: was the wallet moved, or is its disk not mounted?"))
    }
    var own = bundle
    do {
      try collect(request, with: source.passphrase, into: &own)
      bundle = own
    } catch let error as PasswordFailure {
      // A backup without its proof is still a backup.
      bundle.report(.failed(name, "its password_command failed: \(error.reason)", of: "password"))
      try collect(request, with: nil, into: &bundle)
    } catch CryptoError.invalidPassphrase where source.passphrase != nil {
      bundle.report(
        .failed(name, "its password_command prints no password that such a file can have", of: "password"))
      try collect(request, with: nil, into: &bundle)
    }
  }

  private func collect(
    _ request: CollectionRequest, with passphrase: SourcePassphrase?,
    into bundle: inout BackupBundle.Builder
  ) throws {
    try CollectorKind.source(name, passphrase: passphrase, copying: copying, in: readers)
      .collect(request, into: &bundle)
  }
}

/// Whole copies of wallets that their programs may be writing.
enum WalletCopies {
  /// Copies a database through SQLite, for a process of its own.
  static let copier = DatabaseCopier(
    write: { (path, name, folder) throws(FileCopyingError) in
      try refusing { try DatabaseCopy.write(of: path, as: name, in: folder) }
    },
    readPaths: DatabaseCopy.readPaths(of:), indexPath: DatabaseCopy.indexPath(of:),
    byteLimit: { (path) throws(SystemError) in try DatabaseCopy.byteLimit(of: path) })

  /// Copies a node's wallet through the node, and a database through SQLite; other files are read as they are.
  ///
  /// Without readers, this process copies databases.
  static func copying(_ readers: Readers?) -> FileCopying {
    FileCopying { (path, beginning) throws(FileCopyingError) in
      try refusing { try copy(of: path, beginning, readers) }
    }
  }

  private static func copy(
    of path: String, _ beginning: [UInt8], _ readers: Readers?
  ) throws -> CopiedFile? {
    if let copy = try nodeCopy(path) { return copy }
    guard DatabaseCopy.isDatabase(beginning.span) else { return nil }
    if let copy = try readers?.copy(of: path, in: folder()) { return copy }
    return try CopiedFile(DatabaseCopy.take(of: path, in: folder()))
  }

  /// Returns a running node's copy of its wallet; nil if no node has it.
  private static func nodeCopy(_ path: String) throws -> CopiedFile? {
    if let attendant = RestoreSandbox.current?.attendant { return try attendant.nodeCopy(of: path) }
    guard let file = try nodeFile(path) else { return nil }
    return try CopiedFile(file)
  }

  /// Runs work whose failures belong in the report.
  private static func refusing<Answer: ~Copyable>(_ body: () throws -> Answer) throws(FileCopyingError)
    -> Answer
  {
    do {
      return try body()
    } catch let error as FileCopyingError {
      throw error
    } catch let error as DatabaseCopyError {
      if case .damaged = error { throw .damaged }
      throw .refused(reason: error.sentence)
    } catch let error as SystemError {
      throw .refused(reason: error.sentence)
    } catch {
      throw .refused(
        reason: "its node runs and does not copy it: \(Failure(describing: error).message)")
    }
  }

  /// Returns a running node's copy of its wallet, which has no name any more; nil if no node has it.
  ///
  /// - Throws: ``FileCopyingError``.
  static func nodeFile(_ path: String) throws(FileCopyingError) -> File? {
    try refusing {
      guard let wallet = NodeWallet(file: path) else { return nil }
      let folder = try folder()
      let name = ".fueki-wallet-\(UInt64.random(in: .min ... .max))"
      let directory = try Directory.open(folder)
      defer { try? directory.remove(name) }
      guard try AsyncWork.run({ try await wallet.copy(to: "\(folder)/\(name)") }) else { return nil }
      return try directory.openFile(name)
    }
  }

  /// Returns the folder for unfinished copies: this machine's state, which only its user can access.
  static func folder() throws -> String {
    let path = try AbsolutePath.of(Places.state().path)
    try Directory.makePrivateDirectories(path)
    return path
  }
}
