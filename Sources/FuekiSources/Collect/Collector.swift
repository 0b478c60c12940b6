public import FuekiSystem
public import FuekiWallet

/// A source of wallet data: the store, a folder of keystores, key share files.
public protocol Collector {
  /// The source as reports name it, such as "store" or "keystore:DIR".
  var name: String { get }
  /// Whether this is the wallet's own store, which after a restore also has copies of other programs' files.
  var isStore: Bool { get }

  /// Adds the requested contents of the source, and one report of its contents, exclusions and their reasons.
  ///
  /// - Throws: any error that makes the backup incomplete and cannot appear in the report, such as a locked keychain.
  func collect(_ request: CollectionRequest, into bundle: inout BundleBuilder) throws
}

extension Collector {
  /// False: the source is another program's.
  public var isStore: Bool { false }
}

extension SourceReport {
  /// The report of a source that lacks something.
  ///
  /// - Parameters:
  ///   - source: the source's name.
  ///   - reason: one sentence.
  ///   - what: the missing thing; by default everything at the source's path.
  /// - Returns: a report that is not complete and has no records.
  public static func failed(_ source: String, _ reason: String, of what: String? = nil) -> SourceReport {
    var exclusion = Exclusion()
    // A source has the form "kind:PATH". Search bytes, because a path can begin with a mark that combines with the
    // colon.
    let path = source.utf8.firstIndex(of: UInt8(ascii: ":")).map { source[source.utf8.index(after: $0)...] }
    exclusion.what = what ?? path.map(String.init) ?? source
    exclusion.reason = reason
    var report = SourceReport(source: source)
    report.excluded = [exclusion]
    report.complete = false
    return report
  }
}

/// Tracks which files of a run's sources changed while they were read, and which sources never came to rest.
///
/// The parts of a file are read when the archive is written, after its digest. If the file changed in between, the run
/// collects again and reads the files that changed from private copies. A source that still does not hold still is left
/// out and reported, so that every run ends with an archive of the others.
public final class SourceChanges: Sendable {
  /// How often a source may begin again.
  private static let mostRounds = 8
  /// From this round on every file that is not too long is copied first.
  private static let cautiousRound = 3
  /// A longer file is copied only once it changed.
  private static let cautiousByteCount: UInt64 = 64 << 20

  private struct State {
    var seen: [[UInt8]: FileStatus] = [:]
    var changed: Set<[UInt8]> = []
    var rounds: [ExactText: Int] = [:]
  }

  private let folder: (@Sendable () throws -> String)?
  private let elsewhere: Elsewhere?
  private let state = Locked(State())

  /// Another process that tracks changes, on behalf of the reader of the files.
  package struct Elsewhere: Sendable {
    /// See ``SourceChanges/needsCopy(_:_:of:)``.
    let needsCopy: @Sendable (_ path: [UInt8], _ status: FileStatus) -> Bool
    /// See ``SourceChanges/makeFile()``.
    let makeFile: @Sendable () throws -> File?

    package init(
      needsCopy: @escaping @Sendable (_ path: [UInt8], _ status: FileStatus) -> Bool,
      makeFile: @escaping @Sendable () throws -> File?
    ) {
      (self.needsCopy, self.makeFile) = (needsCopy, makeFile)
    }
  }

  /// - Parameter folder: the private folder on whose disk unnamed copies are made; nil to copy nothing.
  public init(copyingIn folder: (@Sendable () throws -> String)? = nil) {
    self.folder = folder
    elsewhere = nil
  }

  /// Asks another process for everything.
  package init(_ elsewhere: Elsewhere) {
    folder = nil
    self.elsewhere = elsewhere
  }

  /// Returns whether a file of a source is to be read from a private copy, and remembers how it looks now.
  public func needsCopy(_ path: [UInt8], _ status: FileStatus, of source: String) -> Bool {
    if let elsewhere { return elsewhere.needsCopy(path, status) }
    return state.withLock { state in
      if let before = state.seen.updateValue(status, forKey: path), before != status {
        state.changed.insert(path)
      }
      let isCautious = state.rounds[ExactText(source), default: 0] >= Self.cautiousRound
      return state.changed.contains(path) || isCautious && status.size <= Self.cautiousByteCount
    }
  }

  /// Records that a file changed between its digest and the archive.
  public func record(changed path: [UInt8]) { state.withLock { _ = $0.changed.insert(path) } }

  /// Makes an unnamed private file; nil if no folder for it was given.
  public func makeFile() throws -> File? {
    if let elsewhere { return try elsewhere.makeFile() }
    guard let folder else { return nil }
    return try Directory.open(try folder()).createUnnamedFile()
  }

  /// Returns whether a run that ended with an error can collect again.
  package func beginsAgain(after error: any Error) -> Bool {
    guard case CollectError.sourceKeepsChanging(let source) = error else { return false }
    state.withLock { $0.rounds[ExactText(source), default: 0] += 1 }
    return true
  }

  /// Returns whether a source changed in every round.
  package func isGivenUp(_ source: String) -> Bool {
    state.withLock { $0.rounds[ExactText(source), default: 0] >= Self.mostRounds }
  }
}
