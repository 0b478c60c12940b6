internal import FuekiBackup
internal import FuekiSystem

extension Failure {
  /// Explains why an archive is not repaired.
  init(_ error: MendError) {
    let status = ExitStatus(error)
    switch error {
    case .noProgram:
      self.init(
        status, "par2, which makes and uses recovery files, is not installed",
        meaning: "nothing was repaired, and no recovery files were made",
        hint: "install Debian's package par2")
    case .noParity(let path):
      self.init(
        status, "there are no recovery files next to \(path)", meaning: "nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    case .beyondParity(let path, let needed, let available):
      self.init(
        status, "\(path) cannot be repaired: \(needed) recovery blocks are needed, \(available) are here",
        meaning: "nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    case .parityUnusable(let path):
      self.init(
        status, "the recovery files next to \(path) are damaged, or belong to another file",
        meaning: "nothing was changed",
        hint: "try another copy of them. \"fueki-backup restore --salvage\" brings back what is whole")
    case .otherArchive(let path):
      self.init(
        status, "the recovery files next to \(path) produce a different file",
        meaning: "a stranger put them there, or they were mixed up. Nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    case .onRemote(let path):
      self.init(
        status, "\(path) is on a remote, where repair does not work", meaning: "nothing was changed",
        hint: "copy it and its .par2 files into a folder with rclone copy, repair it there, and copy it back")
    case .programFailed(let said):
      self.init(status, "par2 failed: \(said)", meaning: "the archive was not changed")
    case .system(let error):
      self.init(status, "par2 failed: \(error.sentence)", meaning: "the archive was not changed")
    case .tooMuchWritten:
      self.init(
        status, "the recovery files would produce a file longer than the archive can be",
        meaning: "a stranger put them there. Nothing was changed",
        hint: "try another copy of the archive. \"fueki-backup restore --salvage\" brings back what is whole")
    }
  }
}

extension ExitStatus {
  /// The status of an archive that is not repaired.
  init(_ error: MendError) {
    self =
      switch error {
      case .noProgram, .programFailed, .system: .failed
      case .noParity, .beyondParity, .parityUnusable: .damaged
      case .otherArchive, .tooMuchWritten: .forged
      case .onRemote: .usage
      }
  }
}

extension Mendability {
  /// Whether it can be repaired, as the rest of a sentence that begins with the verdict.
  var sentence: String {
    switch self {
    case .possible(let needed, let available):
      "damaged, and can be repaired: \(needed) of \(available) blocks of the recovery files are needed"
    case .impossible(let needed, let available):
      "damaged, and cannot be repaired: \(needed) recovery blocks are needed, \(available) are here"
    case .unknown(let error): "unknown whether it can be repaired: \(Failure(error).message)"
    }
  }
}

extension Failure {
  /// Returns the failure of a damaged archive that has recovery files next to it; nil for any other.
  func naming(repair path: String?) -> Failure? {
    guard let path, !Parity.files(besideArchive: path).isEmpty else { return nil }
    var failure = self
    let other = hint.map { ". Or \($0)" } ?? ""
    failure.hint =
      "repair it with the recovery files next to it: fueki-backup repair \(ShellWord.quoted(path))" + other
    return failure
  }
}
