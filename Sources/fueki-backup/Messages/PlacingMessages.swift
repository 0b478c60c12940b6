internal import FuekiBackup

extension Failure {
  /// What it means that files are not put back.
  init(_ error: PlacingError) {
    let status = ExitStatus(error)
    switch error {
    case .othersFolder(let path):
      self.init(
        status, "\(path) is another person's folder", meaning: "no file was put back",
        hint: "run it as the person whose files these are")
    case .notEmpty(let path):
      self.init(
        status, "nothing shows that the archive is yours, and \(path) is not empty",
        meaning: "files of such an archive go into an empty folder only; no file was put back",
        hint: "--files with a new folder, or fueki-backup key trust once you know whose archive it is")
    case .obstacles(let obstacles):
      let first = obstacles.first?.sentence ?? "something is in the way"
      let rest = obstacles.count > 1 ? " (and \(obstacles.count - 1) more)" : ""
      let isLink = obstacles.contains { if case .folderIsLink = $0.kind { true } else { false } }
      self.init(
        status, first + rest, meaning: "what is there was not changed",
        hint: isLink
          ? "--follow-links goes where your own links lead"
          : "--on-conflict rename puts the archive's file beside it, and replace keeps the old one beside it")
    case .running(let programs):
      self.init(
        status, "in use: \(programs.map(\.sentence).joined(separator: "; "))",
        meaning: "a running program does not see what is put there, or writes over it; no file was put back",
        hint: "stop it, or insist with --while-running")
    case .readBackDiffers(let path):
      self.init(
        status, "\(path) could not be read back as it was written",
        meaning: "this file is not there; those that were named before are", hint: "look at the disk")
    case .scattered:
      self.init(
        status, "the parts of files lie among one another as in no archive of this program",
        meaning: "the file was not put back", hint: "fueki-backup export --include-secrets writes them")
    }
  }
}

extension ExitStatus {
  /// The status of files that are not put back.
  init(_ error: PlacingError) {
    self =
      switch error {
      case .othersFolder, .readBackDiffers: .failed
      case .notEmpty: .untrusted
      case .obstacles: .wouldOverwrite
      case .running: .locked
      case .scattered: .overLimit
      }
  }
}

extension PlacingObstacle {
  /// What is in the way, and where.
  var sentence: String {
    switch kind {
    case .differs: "\(path) is there and differs"
    case .folderIsLink(let target): "\(path) is a link to \(target)"
    case .folderIsOthers: "\(path) is another person's folder"
    case .isLink(let target): "\(path) is a link to \(target), and no file"
    case .otherKind: "\(path) is there, and of another kind"
    }
  }
}

extension RunningProgram {
  /// Who it is, and how that is known.
  var sentence: String {
    let who = name.isEmpty ? "a program" : name
    return switch processID {
    case .some(let number): "\(who) (process \(number)) has \(path) open"
    case nil: "\(path) says that a program runs"
    }
  }
}

extension WaitReason {
  /// Why a file is left in the archive.
  var sentence: String {
    switch self {
    case .outsideHome: "it lay outside the home directory: --files DIR puts it below a folder"
    case .noPlace: "nobody noted where it lay: --files DIR puts it below a folder"
    case .notAPlace: "what is noted as its place is none"
    case .startup: "what lies there is run or obeyed by itself: fueki-backup export writes it elsewhere"
    case .superseded: "the archive has a newer copy of it"
    case .incomplete: "not every part of it is in the archive"
    }
  }
}

extension HoldReason {
  /// Why a file goes under another name.
  var sentence: String {
    switch self {
    case .channels: "its Lightning channels may be old, and an old copy can lose their money"
    case .channelBackup: "restoring a static channel backup closes every channel"
    case .validatorKey: "two machines that sign with a validator's key are slashed"
    case .slashingRecord: "an old record of what was signed must not replace a newer one"
    }
  }
}
