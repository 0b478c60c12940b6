internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

extension StatusProblem {
  /// Returns the problem in a sentence, with what to do.
  ///
  /// - Parameter name: returns a vault's name for display.
  /// - Returns: the sentence, without a full stop.
  func sentence(_ name: @escaping (VaultID) -> String?) -> String {
    switch self {
    case .unreachable(let made, let error): AbsentTarget(made, name: name).sentence(about: error)
    case .unread(let files):
      files.first.flatMap { DeniedArchives(of: files, in: Target(holding: $0.path)) }.map {
        "\($0.sentence). To read them, \($0.hint)"
      } ?? (files.first?.readError?.sentence ?? "a file cannot be read")
        + (files.count > 1 ? ", and \(files.count - 1) more cannot be read" : "")
    case .broken(let files):
      "\(files.first?.name ?? "an archive") is \((files.first?.state ?? .damaged).rawValue), and no whole archive of "
        + "its vault is newer"
        + (files.count > 1 ? ". \(Readable.count(files.count - 1, "more file")) as well" : "")
    case .empty(let hasFolders):
      "no archive was ever made here"
        + (hasFolders ? ". Its folders have archives: use --recursive, or name them" : "")
    case .gone(let archive):
      "archive \(archive.prefix(12)), which was last made here, is gone. If you did not remove it, look for it on "
        + "your other disks, or make a new one: fueki-backup create"
    case .behind(let lag): lag.sentence
    case .noArchive(let areOthersThere): "there is no whole archive" + (areOthersThere ? " of yours" : "")
    case .damaged(let digest, nil): "the newest archive, \(digest.shortID), is damaged: make a new one"
    case .damaged(let digest, let time?):
      "the newest archive, \(digest.shortID), is damaged, as verify found on \(Times.text(time)): make a new one"
    case .baseDamaged(let base, of: let digest, let time):
      "\(base.shortID), the base of the newest archive, \(digest.shortID), is damaged, as verify found on "
        + "\(Times.text(time)): make a new archive with create --full"
    case .age(let dated, .never): "\(dated.sentence): never"
    case .age(let dated, .future):
      "\(dated.sentence) is dated in the future: this machine's clock, or the one that dated it, is wrong"
    case .age(let dated, .seconds(let age)): "\(dated.sentence) is \(Readable.age(age)) old"
    case .verificationFailed(let time?): "the last verification, on \(Times.text(time)), failed"
    case .verificationFailed(nil): "the last verification failed"
    case .drillDiffered(let digest):
      "the last drill, of \(digest.shortID), found that what came back differs from the archive"
    case .emptied(let parts):
      "the last run made no archive, because the machine looks emptied: "
        + parts.map(\.sentence).joined(separator: ", ")
    case .faulty(let finding): finding.line
    case .state(let error): Failure(describing: error).message
    case .stated(let sentence): sentence
    }
  }
}

extension LateVaults {
  /// A sentence about each vault.
  var sentences: [String] {
    vaults.map { vault in
      let name = vault.label.map { "\($0) (vault \(vault.id.hex.prefix(8)))" } ?? "vault \(vault.id.hex)"
      return switch vault.age {
      case .seconds(let age): "\(name): the newest archive is \(Readable.age(age)) old"
      case .future, .never: "\(name): the newest archive is dated in the future"
      }
    }
  }
}

extension StatusProblem.Dated {
  fileprivate var sentence: String {
    switch self {
    case .archive: "the last archive"
    case .verification: "the last verification"
    case .drill: "the last drill that went well"
    }
  }
}

extension VaultStatus {
  /// The newest archive's gaps, then the things that only earlier archives have.
  var missing: [String] { gaps + losses.map(\.sentence) }
}
