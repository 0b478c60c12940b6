internal import FuekiBackup

extension PlacingError: Explained {
  var failure: Failure {
    switch self {
    case .othersFolder(let path):
      Failure(
        .failed, "\(path) is another person's folder", meaning: "no file was put back",
        hint: "run this as the owner of these files")
    case .sharedFolder(let path):
      Failure(
        .failed, "other users can write to \(path)",
        meaning: "they could put a file of their own in a wallet's place. No file was put back",
        hint: "take that right from them: chmod go-w \(ShellWord.quoted(path))")
    case .unprotectedFolder(let path):
      Failure(
        .failed, UnprotectedText.fact(path), meaning: "\(UnprotectedText.price). No file was put back",
        hint: "--accept unprotected puts them there anyway. Or use --files DIR with a folder on another disk")
    case .notEmpty(let path):
      Failure(
        .untrusted, "nothing shows that the archive is yours, so its files do not go to \(path)",
        meaning:
          "files from such an archive go only into an empty folder that --files names. No file was put back",
        hint:
          "restore them into a new folder with --files DIR. Or compare the archive's signer with your kit, accept it "
          + "with \"fueki-backup key trust\", and run this again")
    case .readBackDiffers(let path):
      Failure(
        .failed, "\(path) reads back differently from what was written",
        meaning: "this file was removed again. The files named before it are in place",
        hint: "look at the disk")
    case .scattered:
      Failure(
        .overLimit, "the parts of the files are mixed in a way that this program never writes",
        meaning: "the file was not put back", hint: "fueki-backup export --include-secrets writes them")
    }
  }
}

extension PlacingObstacle {
  /// The obstacle, and its place.
  var sentence: String {
    switch kind {
    case .differs: "\(path) already exists and differs"
    case .folderIsLink(let target): "\(path) is a link to \(target)"
    case .folderIsOthers: "\(path) is another person's folder"
    case .folderIsShared: "other users can write to \(path)"
    case .isLink(let target): "\(path) is a link to \(target), not a file"
    case .otherKind: "\(path) exists and is not a file"
    case .notWritable: "you may not write to \(path)"
    case .nameRefused: "the file system accepts no name for \(path)"
    case .noRoom: "the file system has no room for \(path)"
    case .folderExists: "another program has just made \(path)"
    }
  }

  /// The advice for it.
  var hint: String {
    switch kind {
    case .folderIsLink: "--accept links follows your own links"
    case .folderIsShared: "take that right from them with chmod go-w"
    case .differs:
      "--on-conflict rename puts the archive's file next to it, and --on-conflict replace puts it in place and keeps the old file next to it"
    case .noRoom: "free some space there and run this again, or use --files DIR on another disk"
    case .folderIsOthers, .isLink, .otherKind, .notWritable, .nameRefused, .folderExists:
      "--files DIR puts the file below another folder"
    }
  }
}

extension PlannedFile {
  /// Why the file is left in the archive; nil if it is not.
  var waitSentence: String? {
    guard case .waits(let reason) = fate else { return nil }
    if let obstacle { return obstacle.sentence }
    guard !users.isEmpty else { return reason.sentence }
    return "in use: \(users.map(\.sentence).joined(separator: "; "))"
  }
}

extension PlacePlan {
  /// The advice for the waiting files, without repetition.
  var hints: [String] {
    var hints: [String] = []
    for hint in obstacles.map(\.hint) where !hints.contains(hint) { hints.append(hint) }
    if !running.isEmpty {
      hints.append("stop the program, or put the files back anyway with --accept running-programs")
    }
    return hints
  }
}

extension RunningProgram {
  /// The program, and the evidence for it.
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
    case .startup: "programs run or obey whatever is there. \"fueki-backup export\" writes it elsewhere"
    case .notWallets: "no wallet keeps such a file there; --files DIR puts it below a folder"
    case .ownFiles:
      "it is a file of your own, not a wallet's. --accept own-files puts it into its folder if that is new"
    case .notProved:
      "only an archive that your passphrase alone opens, or --trusted-signer with the key as you type it from paper, proves that such a file is yours; --files DIR puts it below a folder"
    case .folderExists:
      "no new folder takes it: programs may take commands from such a file in a folder that is there already, as the home is; --files DIR puts it below a folder"
    case .superseded: "the archive has a newer copy of it"
    case .incomplete: "some of its parts are missing from the archive"
    case .inTheWay: "something is in its way"
    case .inUse: "a program is working in its folder"
    case .together: "it belongs to another file, which is left in the archive"
    case .nameRefused: "the file system accepts no name for it"
    case .noRoom: "the file system has no room for it"
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
