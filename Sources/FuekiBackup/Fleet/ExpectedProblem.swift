package import FuekiCrypto
package import FuekiSystem

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
