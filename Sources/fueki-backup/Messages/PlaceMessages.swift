internal import FuekiBackup

extension Failure {
  /// Explains why something cannot be put in its place.
  init(_ error: PlaceError) {
    let status = ExitStatus(error)
    switch error {
    case .wouldOverwrite(let path):
      self.init(
        status, "\(path) already exists and differs",
        meaning: "what is there was not touched, and nothing was written",
        hint: "choose a place that does not exist yet")
    case .notReplaceable(let path, let obstacle): self.init(path, obstacle, status)
    case .keychainDiffers:
      self.init(
        status, "the keychain is missing shares that were written to it",
        meaning: "nothing was put in place")
    }
  }

  /// Explains why this machine's state cannot be used.
  init(_ error: StateError) {
    let status = ExitStatus(error)
    switch error {
    case .locked(let owner):
      self.init(
        status, "another run holds the lock\(owner.map { " (\($0))" } ?? "")",
        meaning: "nothing was changed",
        hint: "wait until it ends, or wait for it with --wait 10m")
    case .damaged(let path):
      self.init(
        status, "this machine's state cannot be read: \(path)", meaning: "nothing was written",
        hint: "remove the file, and run again with --adopt")
    }
  }

  private init(_ path: String, _ obstacle: PlaceError.Obstacle, _ status: ExitStatus) {
    let meaning = "nothing was changed"
    switch obstacle {
    case .symbolicLink:
      self.init(
        status, "\(path) is a symbolic link: the link would be replaced, not the directory it points to",
        meaning: meaning, hint: "name the directory itself with --datadir")
    case .mountPoint:
      self.init(
        status, "\(path) is a mount point, which cannot be replaced", meaning: meaning,
        hint: "restore into a directory below it with --datadir")
    case .inUse:
      self.init(
        status, "a wallet is running: it has the store in \(path) open", meaning: meaning,
        hint: "close the wallet, and try again")
    case .foreignEntry(let name):
      self.init(
        status, "\(path) holds \(name), which is neither a file nor a directory and cannot be kept",
        meaning: meaning, hint: "move it elsewhere, or restore into another --datadir")
    case .noExchange:
      self.init(
        status, "the file system of \(path) cannot swap two directories in one step",
        meaning:
          "for a moment neither the old wallet nor the new one would exist, so nothing was changed",
        hint: "restore into a new --datadir, or move the data directory to another file system first")
    }
  }
}
