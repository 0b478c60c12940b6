package import FuekiArchive
package import FuekiCrypto
package import FuekiSystem

/// A vault that should be backed up, and the requirements on its archives.
package struct ExpectedVault: Equatable, Sendable {
  package let id: VaultID
  package var label: ExactText?
  /// The person who cares for it.
  package var owner: String?
  /// The signers of its archives; empty if signatures are not required.
  package var signers: Set<Ed25519.PublicKey> = []
  /// Other keys that signed archives of it when the list was made, each with the highest number of its archives.
  package var otherSigners: [Ed25519.PublicKey: UInt64] = [:]
  /// The most seconds since its newest archive was made; nil without limit.
  package var maxAge: Double?
  /// The most seconds since its last drill that went well; nil without limit.
  package var maxDrillAge: Double?
  /// The place of its target; nil if every target counts.
  package var target: ExactText?
  /// The target as the list has it, for reading it.
  package var targetPath: String?
  /// The least number of slots for recipients.
  package var recipients: Int?

  package init(_ id: VaultID) { self.id = id }
}

extension ExpectedVault {
  /// The largest decrease of the sizes that padding alone can cause: one eighth, and one chunk.
  private static let paddingShare: UInt64 = 8
  private static let chunk = UInt64(Limits.chunkPlaintextBytes)

  /// Judges the archives of the vault in its targets.
  ///
  /// - Parameters:
  ///   - archives: the archives of this vault, in any order.
  ///   - unreachable: the places of targets that cannot be read, each with the reason in a sentence.
  ///   - unread: files that cannot be read, of unknown vaults.
  ///   - drill: when its last drill went well, in seconds since 1970; nil if unknown.
  ///   - now: seconds since 1970.
  /// - Returns: the newest archive that counts, and the problems by urgency.
  package func judge(
    _ archives: [SightedArchive], unreachable: [ExactText: String], unread: [UnreadFile] = [], drill: Int64?,
    now: Int64
  ) -> (newest: SightedArchive?, problems: [ExpectedProblem]) {
    let here = archives.filter { archive in archive.vault == id && target.map { $0 == archive.target } ?? true
    }
    let whole = here.filter(\.isWhole)
    let counted =
      whole.filter { archive in signers.isEmpty || archive.signer.map(signers.contains) ?? false }
      .sorted { ($0.sequence, $0.created) < ($1.sequence, $1.created) }
    var problems: [ExpectedProblem] = []
    let anywhere = counted.isEmpty ? unreachable.min { $0.key < $1.key }?.value : nil
    let reason = target.map { unreachable[$0] } ?? anywhere
    if let reason { problems.append(.unreachable(reason: reason)) }
    if let stranger = strangers(whole, since: counted.first?.sequence ?? 0) { problems.append(stranger) }
    let newest = counted.last
    if let fault = here.fault(after: newest) { problems.append(fault) }
    if problems.isEmpty, let file = unread.first(where: { $0.mayBeNewest(of: self, after: newest) }) {
      problems.append(.unreadFile(file.error))
      // A planted file must not make all vaults of a target look as if they could not be read.
      if newest == nil, !file.isNamed(after: self) { problems.append(.missing) }
    }
    if let newest {
      problems += faults(of: newest, among: counted, now)
    } else if problems.isEmpty {
      problems.append(.missing)
    }
    if let maxDrillAge, reason == nil, !problems.contains(.missing) {
      let age = drill.map { now - $0 }
      if StatusProblem.Age(of: drill, over: maxDrillAge, now) != nil {
        problems.append(.notDrilled(seconds: age))
      }
    }
    return (newest, problems.sorted { $0.rank < $1.rank })
  }

  /// An archive that no expected signer signed, from the first signed one on: before that, the vault had no signer.
  private func strangers(_ whole: [SightedArchive], since first: UInt64) -> ExpectedProblem? {
    guard !signers.isEmpty else { return nil }
    let found = whole.filter { archive in
      archive.sequence >= first && !(archive.signer.map(signers.contains) ?? false)
    }
    return found.max { $0.sequence < $1.sequence }.map { .unsigned(sequence: $0.sequence, signer: $0.signer) }
  }

  private func faults(
    of newest: SightedArchive, among counted: [SightedArchive], _ now: Int64
  ) -> [ExpectedProblem] {
    var problems: [ExpectedProblem] = []
    if let fork = Self.fork(in: counted) { problems.append(.forked(sequence: fork)) }
    if let maxAge {
      switch StatusProblem.Age(of: Int64(clamping: newest.created), over: maxAge, now) {
      case .seconds(let age): problems.append(.late(seconds: age, limit: maxAge))
      case .future, .never: problems.append(.late(seconds: nil, limit: maxAge))
      case nil: break
      }
    }
    if let shrinkage = Self.shrinkage(in: counted) { problems.append(shrinkage) }
    if let recipients, newest.recipientSlots < recipients {
      problems.append(.withoutRecipient(expected: recipients, found: newest.recipientSlots))
    }
    return problems
  }

  /// The number of the newest archive at which the history divides.
  private static func fork(in archives: [SightedArchive]) -> UInt64? {
    var digests: [UInt64: Set<Digest>] = [:]
    for archive in archives { digests[archive.sequence, default: []].insert(archive.digest) }
    let forks = archives.filter { archive in
      let isAlone = digests[archive.sequence]?.count == 1
      guard isAlone, archive.sequence > 1, archive.previous != .zero,
        let before = digests[archive.sequence - 1]
      else { return !isAlone }
      return !before.contains(archive.previous)
    }
    return forks.map(\.sequence).max()
  }

  /// A decrease between the last two full archives that padding does not explain.
  private static func shrinkage(in archives: [SightedArchive]) -> ExpectedProblem? {
    let full = archives.filter { !$0.isDifferential }
    guard let now = full.last, let before = full.last(where: { $0.sequence < now.sequence }) else {
      return nil
    }
    for (old, new) in zip(before.streamBytes, now.streamBytes) where new < old {
      let lost = old - new
      if lost > chunk, lost > old / paddingShare {
        return .shrinking(before: before.streamBytes.reduce(0, +), now: now.streamBytes.reduce(0, +))
      }
    }
    return nil
  }
}

/// Why an expected vault's backup needs attention, the most urgent first.
package enum ExpectedProblem: Equatable, Sendable {
  /// Its target cannot be read, so nothing is known; the reason in a sentence.
  case unreachable(reason: String)
  /// A file that is newer than its newest whole archive cannot be read.
  case unread(sequence: UInt64)
  /// A file in its target that may be its newest archive cannot be read.
  case unreadFile(SystemError)
  /// Its target has no whole archive of it.
  case missing
  /// A file that is newer than its newest whole archive is damaged.
  case damaged(sequence: UInt64)
  /// A file that is newer than its newest whole archive is cut, or still on its way, or lacks its intact base.
  case incomplete(sequence: UInt64)
  /// Two archives take the same place, or one does not follow the one before it.
  case forked(sequence: UInt64)
  /// An archive of the vault is not signed by an expected signer.
  case unsigned(sequence: UInt64, signer: Ed25519.PublicKey?)
  /// Its newest archive is older than the list allows, in seconds; nil if it is dated in the future.
  case late(seconds: Int64?, limit: Double)
  /// Its newest full archive is much smaller than the full one before.
  case shrinking(before: UInt64, now: UInt64)
  /// Its newest archive has fewer slots for recipients than expected.
  case withoutRecipient(expected: Int, found: Int)
  /// No drill of it went well within the expected time; nil if this machine knows of none, and negative if it is
  /// dated in the future.
  case notDrilled(seconds: Int64?)
  /// The vault is in a target, but not in the list.
  case foreign

  /// The words for scripts.
  package static let words = [
    "unreachable", "missing", "damaged", "incomplete", "forked", "unsigned", "late", "shrinking",
    "without-recipient", "not-drilled", "foreign",
  ]

  /// The word for people and scripts.
  package var word: String { Self.words[rank] }

  /// The place in the order of urgency.
  package var rank: Int {
    switch self {
    case .unreachable, .unread, .unreadFile: 0
    case .missing: 1
    case .damaged: 2
    case .incomplete: 3
    case .forked: 4
    case .unsigned: 5
    case .late: 6
    case .shrinking: 7
    case .withoutRecipient: 8
    case .notDrilled: 9
    case .foreign: 10
    }
  }
}
