internal import FuekiArchive

/// The exit statuses that scripts rely on, as listed in fueki-backup(1).
///
/// A command returns or throws: either an error that the table of failures explains, or only a status if everything was
/// already reported.
package enum ExitStatus: Int32, CaseIterable, Error {
  case done = 0
  case failed = 1
  case partial = 3
  case notFound = 10
  case locked = 11
  case wrongSecret = 12
  case notAnArchive = 19
  case damaged = 20
  case incomplete = 21
  case forged = 22
  case untrusted = 23
  case older = 24
  case forked = 25
  case baseMissing = 26
  case besideDamaged = 27
  case tooNew = 30
  case overLimit = 32
  case wouldOverwrite = 40
  case stopped = 41
  case resyncIncomplete = 50
  case differs = 60
  case usage = 64
  case interrupted = 130
  case brokenPipe = 141

  /// The id that JSON errors carry: a verdict's own, where the status stands for one.
  var id: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .partial: "partial"
    case .notFound: "not-found"
    case .locked: "locked"
    case .wouldOverwrite: "would-overwrite"
    case .stopped: "stopped"
    case .resyncIncomplete: "resync-incomplete"
    case .differs: "differs"
    case .usage: "usage"
    case .besideDamaged: "beside-damaged"
    case .interrupted: "interrupted"
    case .brokenPipe: "broken-pipe"
    case .wrongSecret, .notAnArchive, .damaged, .incomplete, .forged, .untrusted, .older, .forked, .tooNew,
      .overLimit, .baseMissing:
      Verdict.allCases.first { ExitStatus($0) == self }?.rawValue ?? "failed"
    }
  }

  /// Ends the command with this status; returns for a success.
  func end() throws {
    guard self == .done else { throw self }
  }
}

extension ExitStatus {
  /// The status that a verdict ends with.
  init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .intact: .done
      case .notAnArchive: .notAnArchive
      case .incomplete: .incomplete
      case .damaged: .damaged
      case .tooNew: .tooNew
      case .untrusted: .untrusted
      case .older: .older
      case .forked: .forked
      case .wrongSecret: .wrongSecret
      case .overLimit: .overLimit
      case .forged: .forged
      case .baseMissing: .baseMissing
      case .unreadable: .failed
      }
  }
}
