internal import FuekiBackup

extension Failure {
  /// What it means that files are not put back.
  init(_ error: PlacingError) {
    let status = ExitStatus(error)
    switch error {
    case .othersFolder(let path):
      self.init(
        status, "\(path) is another person's folder", meaning: "no file was put back",
        hint: "run this as the owner of these files")
    case .sharedFolder(let path):
      self.init(
        status, "other users can write to \(path)",
        meaning: "they could put a file of their own in a wallet's place; no file was put back",
        hint: "take that right from them: chmod go-w \(path)")
    case .notEmpty(let path):
      self.init(
        status, "nothing shows that the archive is yours, and \(path) is not empty",
        meaning: "files from such an archive go only into an empty folder; no file was put back",
        hint: "--files with a new folder, or fueki-backup key trust once you know whose archive it is")
    case .obstacles(let obstacles):
      let first = obstacles.first?.sentence ?? "something is in the way"
      let rest = obstacles.count > 1 ? " (and \(obstacles.count - 1) more)" : ""
      let isLink = obstacles.contains { if case .folderIsLink = $0.kind { true } else { false } }
      let isShared = obstacles.contains { $0.kind == .folderIsShared }
      self.init(
        status, first + rest, meaning: "what is there was not changed",
        hint: isLink
          ? "--follow-links follows your own links"
          : isShared
            ? "take that right from them with chmod go-w"
            : "--on-conflict rename puts the archive's file beside it; --on-conflict replace puts it in place and keeps the old file beside it"
      )
    case .running(let programs):
      self.init(
        status, "in use: \(programs.map(\.sentence).joined(separator: "; "))",
        meaning: "a running program ignores a restored file, or overwrites it; no file was put back",
        hint: "stop it, or put the files back anyway with --while-running")
    case .readBackDiffers(let path):
      self.init(
        status, "\(path) reads back differently from what was written",
        meaning: "this file was removed again; the files named before it are in place",
        hint: "look at the disk")
    case .scattered:
      self.init(
        status, "the parts of the files are mixed in a way that this program never writes",
        meaning: "the file was not put back", hint: "fueki-backup export --include-secrets writes them")
    }
  }
}

extension ExitStatus {
  /// The status of files that are not put back.
  init(_ error: PlacingError) {
    self =
      switch error {
      case .othersFolder, .sharedFolder, .readBackDiffers: .failed
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
    case .differs: "\(path) already exists and differs"
    case .folderIsLink(let target): "\(path) is a link to \(target)"
    case .folderIsOthers: "\(path) is another person's folder"
    case .folderIsShared: "other users can write to \(path)"
    case .isLink(let target): "\(path) is a link to \(target), not a file"
    case .otherKind: "\(path) exists and is not a file"
    }
  }
}

extension RunningProgram {
  /// Who it is, and how that is known.
  var sentence: String {
    let who = name.isEmpty ? "a program" : name
    return switch processID {
    case .some(let number): "\(who) (process \(number)) has \(path) open"
    case nil: "\(path) says that a program is running"
    }
  }
}

extension WaitReason {
  /// Why a file is left in the archive.
  var sentence: String {
    switch self {
    case .outsideHome: "it was outside the home directory; --files DIR puts it below a folder"
    case .noPlace: "the archive does not say where it was; --files DIR puts it below a folder"
    case .notAPlace: "the place that the archive names for it is not a valid path"
    case .startup: "programs run or obey whatever is there; fueki-backup export writes it elsewhere"
    case .notWallets: "no wallet keeps such a file there; --files DIR puts it below a folder"
    case .superseded: "the archive has a newer copy of it"
    case .incomplete: "some of its parts are missing from the archive"
    }
  }
}

extension HoldReason {
  /// Why a file goes under another name.
  var sentence: String {
    switch self {
    case .channels: "its Lightning channels may be out of date, and an old copy can lose their money"
    case .channelBackup: "restoring a static channel backup closes every channel"
    case .validatorKey: "a validator whose key signs on two machines is slashed"
    case .slashingRecord: "an old record of what was signed must not replace a newer one"
    }
  }
}
