internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The journal of a run that restores files, so that an interrupted run continues: its timed names stay the same.
///
/// Files already in place are found there, so nothing else is recorded.
public struct PlacingJournal: Codable, Equatable, Sendable {
  /// The archive's digest, in hex.
  public let archive: String
  /// The folder below which files go, from the root.
  public let root: String
  /// The handling of existing files that differ.
  public let policy: String
  /// When it began, as names have it.
  public let stamp: String
  /// The part of the run's temporary names behind `.fueki-`.
  public let token: String

  /// Begins a journal.
  ///
  /// - Parameters:
  ///   - archive: the archive's digest, in hex.
  ///   - root: the folder below which files go.
  ///   - policy: what becomes of files that are there and differ.
  ///   - now: in microseconds since 1970.
  public init(archive: String, root: PlaceRoot, policy: PlacingPolicy, now: Int64) {
    self.archive = archive
    self.root = CurrentProcess.absolutePath(of: root.path)
    self.policy = policy.rawValue
    let text = Timestamp(microseconds: now).text
    token = Self.newToken()
    stamp = text.prefix { $0 != "." && $0 != "Z" }.filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// A token that no other run has.
  static func newToken() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether the token can be a part of a name: 16 hex digits.
  fileprivate var hasToken: Bool {
    token.utf8.count == 16 && token.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  fileprivate var fileName: String {
    let text = "\(archive)\0\(root)\0\(policy)"
    return "placing-\(SHA256.hash(Array(text.utf8)).hex.prefix(16)).json"
  }
}

extension LockedState {
  /// Keeps a journal, durably, or finds that of a run of the same kind that was stopped.
  public func begin(_ journal: PlacingJournal) throws -> PlacingJournal {
    guard let bytes = try directory.read(journal.fileName) else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      try directory.write([UInt8](try encoder.encode(journal)), as: journal.fileName)
      return journal
    }
    guard let found = try? JSONDecoder().decode(PlacingJournal.self, from: Data(bytes)), found.hasToken
    else { throw StateError.damaged(path: "\(directory.path)/\(journal.fileName)") }
    return found
  }

  /// Removes the journal of a finished run.
  public func forget(_ journal: PlacingJournal) throws {
    let folder = try Directory.open(directory.path)
    if try folder.contains(journal.fileName) { try folder.remove(journal.fileName) }
  }
}
