internal import ArgumentParser
internal import FuekiArchive

/// The exit statuses that scripts rely on, as fueki-backup(1) lists them.
package enum ExitStatus: Int32, CaseIterable {
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
  case tooNew = 30
  case overLimit = 32
  case wouldOverwrite = 40
  case stopped = 41
  case resyncIncomplete = 50
  case differs = 60
  case usage = 64
  case interrupted = 130

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
    case .interrupted: "interrupted"
    case .wrongSecret, .notAnArchive, .damaged, .incomplete, .forged, .untrusted, .older, .forked, .tooNew,
      .overLimit:
      Verdict.allCases.first { ExitStatus($0) == self }?.rawValue ?? "failed"
    }
  }

  /// Ends the command with this status; what is done ends by returning.
  func end() throws {
    guard self == .done else { throw ExitCode(rawValue) }
  }
}
