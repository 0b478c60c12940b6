internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

extension Failure {
  /// Returns the next step for a remote's folder that is missing.
  static func remoteHint(_ path: String) -> String {
    let place = String(path.dropFirst("rclone:".count))
    let made = GivenWord.shown(path) == path ? " \(ShellWord.quoted(place))" : ""
    return "\"rclone listremotes\" lists the remotes that are set up. If the path is right, "
      + "\"rclone mkdir\(made)\" makes the folder"
  }
}

extension TargetError: Explained {
  var failure: Failure {
    switch self {
    case .noTarget(let path):
      Failure(
        .notFound, path.isEmpty ? "no target was given" : "target not found: \(GivenWord.shown(path))",
        meaning: path.isEmpty
          ? "nothing was written"
          : "its disk may not be plugged in, or the path may be mistyped. Nothing was written",
        hint: Target(path: path).kind == .rclone
          ? Failure.remoteHint(path)
          : "plug in the disk, or name another folder")
    case .otherFileSystem(let path):
      Failure(
        .notFound,
        "\(path) is empty: the disk with this machine's archives is not mounted there",
        meaning: "nothing was written: it would not be on that disk",
        hint: "mount it. If another disk replaces it, create --accept new-disk starts there")
    case .malformedTarget(let path):
      Failure(
        .usage, "\(GivenWord.shown(path)) is not a place on a remote. Write rclone:REMOTE:PATH",
        meaning: "others can read a command line, so it must not hold settings or secrets",
        hint: "set the remote up with rclone config, and use its name")
    case .readBackDiffers(let path):
      Failure(
        .failed, "\(path) reads back differently from what was written",
        meaning: "the disk, its driver or the service is failing. The archive was not published there",
        hint: "choose another target")
    case .checksumDiffers(let path, let kind):
      Failure(
        .failed, "the \(kind) checksum of \(path) on the remote differs from what was sent",
        meaning: "the archive was not published there",
        hint: "try again. If it happens again, choose another target")
    case .appendOnly(let path):
      Failure(
        .usage, "\(path) is append-only in the configuration, so nothing there is changed or removed",
        meaning: "nothing was changed", hint: "copy the archive and the files next to it elsewhere first")
    case .noWholeCopy(let sequence):
      Failure(
        .damaged, "no target has a whole copy of archive number \(sequence)",
        meaning: "nothing was copied: a damaged copy would look like a good one",
        hint: "\"fueki-backup verify\" shows which is damaged, \"fueki-backup repair\" repairs it, and "
          + "\"fueki-backup create\" makes a new one")
    case .damagedCopy(let path, let sequence):
      Failure(
        .damaged, "archive number \(sequence) in \(path) is damaged",
        meaning: "it was left as it is",
        hint: "repair it, or move it to another folder and run this again")
    case .holdsPrivateKeys(let path):
      Failure(
        .usage, "the archive has private keys, and others can see \(path)",
        meaning: "it was made for other targets, so it was not copied there",
        hint:
          "copy --accept synced-keys allows it, and so does private_keys = true in a folder's [[target]]. A local target needs kind = \"local\""
      )
    }
  }
}

extension FindingError: Explained {
  var failure: Failure {
    switch self {
    case .noArchive(name: "latest"):
      Failure(
        .notFound, "there is no latest archive, since nothing says where archives are",
        meaning: "nothing was read or changed",
        hint: "name the folder or disk with --target DIR. \"fueki-backup init\" keeps it in the configuration"
      )
    case .noArchive(let name):
      Failure(
        .notFound, "there is no archive \(GivenWord.shown(name))",
        meaning:
          "it may be in another folder, or on a disk that is not plugged in. Nothing was read or changed",
        hint: "fueki-backup list --target DIR shows the archives of a folder")
    case .noArchives(let targets):
      Failure(
        .notFound,
        FindingError.nothing(in: targets) + RecursiveOptions.hint(targets.map { Target(path: $0) }),
        meaning: "nothing was read or changed",
        hint: "plug in the disk that has them, or name its folder with --target DIR")
    case .denied(let denied):
      Failure(
        .failed, denied.sentence,
        meaning: "they may be your archives: none of them was read. Nothing was changed",
        hint: denied.hint)
    case .isFolder(let path):
      Failure(
        .notFound, "\(path) is a folder, not an archive", meaning: "nothing was read or changed",
        hint: "for its newest archive: latest --target \(path)")
    case .ambiguous(let name, let candidates):
      Failure(.usage, "\(name) could be \(candidates.joined(separator: " or "))", hint: "type more digits")
    case .severalVaults(let count):
      Failure(
        .untrusted, "archives of \(count) vaults are here, and nothing shows which of them is yours",
        meaning: "nothing was read or changed",
        hint:
          "fueki-backup list shows which archive is of which vault: name one of them; "
          + "or choose a vault of the configuration with --vault"
      )
    case .unusableNewest(let path, let verdict, let usable):
      Failure(
        ExitStatus(verdict),
        "a file newer than the newest usable archive cannot be used (\(verdict.rawValue)): \(path)",
        meaning: verdict == .tooNew
          ? "it may be your newest backup, made by a newer version of this program, or a stranger's"
          : "it may be your newest backup, damaged or still being copied, or a stranger's",
        hint: (verdict == .tooNew
          ? "try a newer version of fueki-backup" : "wait until it is copied, or look for another copy")
          + ". The newest that can be used is \(usable): name it, or restore with --accept older")
    }
  }
}

extension DeniedArchives {
  /// Whose they are, without a full stop.
  var sentence: String {
    let who = owner.map { id in Account.name(of: id).map { "user \(id) (\($0))" } ?? "user \(id)" }
    let place = GivenWord.shown(folder)
    guard let count else {
      return "permission denied: \(place) "
        + (who.map { "belongs to \($0)" } ?? "is not readable for this user")
    }
    let what = "permission denied: \(Readable.count(count, "archive")) in \(place) "
    let verb = count == 1 ? "belongs" : "belong"
    return what + (who.map { "\(verb) to \($0)" } ?? "\(verb) to other users")
  }

  /// How to read them.
  var hint: String {
    guard GivenWord.shown(folder) == folder else {
      return "copy the folder as root, and give the copy to this user"
    }
    let place = ShellWord.quoted(folder)
    guard owner != CurrentUser.identifier else { return "make them readable: chmod -R u+rX \(place)" }
    return "make a copy that is yours: sudo cp -rT \(place) ~/archives && "
      + "sudo chown -R \"$(id -un)\" ~/archives && chmod -R u+rwX ~/archives. Then name ~/archives in its place"
  }
}

extension FindingError {
  /// Returns the sentence for places without any archive.
  static func nothing(in targets: [String]) -> String {
    "No archives in \(targets.map(GivenWord.shown).joined(separator: ", ")). Is this the right disk?"
  }
}

extension PlaceError: Explained {
  var failure: Failure {
    switch self {
    case .wouldOverwrite(let path):
      Failure(
        .wouldOverwrite, "\(path) already exists and differs",
        meaning: "what is there was not touched, and nothing was written",
        hint: "choose a place that does not exist yet")
    case .notReplaceable(let path, let obstacle): obstacle.failure(at: path)
    case .keychainDiffers:
      Failure(
        .failed, "the keychain is missing shares that were written to it",
        meaning: "nothing was put in place")
    }
  }
}

extension StateError: Explained {
  var failure: Failure {
    switch self {
    case .locked(let owner):
      Failure(
        .locked, "another run holds the lock\(owner.map { " (\($0))" } ?? "")",
        meaning: "nothing was changed",
        hint: "wait until it ends, or wait for it with --wait 10m")
    case .damaged(let path):
      Failure(
        .failed, "this machine's state cannot be read: \(path)", meaning: "nothing was written",
        hint: "remove the file, and run again with --adopt")
    }
  }
}

extension PlaceError.Obstacle {
  fileprivate func failure(at path: String) -> Failure {
    let meaning = "nothing was changed"
    return switch self {
    case .symbolicLink:
      Failure(
        .wouldOverwrite,
        "\(path) is a symbolic link: the link would be replaced, not the directory it points to",
        meaning: meaning, hint: "name the directory itself with --datadir")
    case .mountPoint:
      Failure(
        .wouldOverwrite, "\(path) is a mount point, which cannot be replaced", meaning: meaning,
        hint: "restore into a directory below it with --datadir")
    case .inUse:
      Failure(
        .locked, "a wallet is running: it has the store in \(path) open", meaning: meaning,
        hint: "close the wallet, and try again")
    case .foreignEntry(let name):
      Failure(
        .wouldOverwrite, "\(path) holds \(name), which is neither a file nor a directory and cannot be kept",
        meaning: meaning, hint: "move it elsewhere, or restore into another --datadir")
    case .noExchange:
      Failure(
        .failed, "the file system of \(path) cannot swap two directories in one step",
        meaning:
          "for a moment neither the old wallet nor the new one would exist, so nothing was changed",
        hint: "restore into a new --datadir, or move the data directory to another file system first")
    }
  }
}
