internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

extension BackupBundle {
  /// The files that `put-back` would leave in the archive on a machine like this one, or asks about.
  var unplacedFiles: [UnplacedFiles] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return [] }
    let places = WalletsHere.places()
    return unplacedFiles(home: home) { places.answer($0, $1) }
  }
}

extension UnplacedFiles {
  /// How many there are, one of them, and why they stay in the archive, or what is asked.
  var sentence: String {
    let example = places.first ?? ""
    let more = places.count > 1 ? " and \(places.count - 1) more" : ""
    guard reason != .ownFiles else {
      return
        "put-back asks before it restores \(example)\(more), which is no wallet's: with --accept own-files, or on a terminal, it goes into a new folder. The archive's only key must be your passphrase, or its signer be typed from paper"
    }
    return "put-back leaves \(example)\(more) in the archive: \(reason.sentence)"
  }
}

/// Files that `put-back` would leave in the archive, in JSON.
struct UnplacedDocument: Encodable {
  let reason: String
  let places: [String]

  init(_ files: UnplacedFiles) { (reason, places) = (files.reason.rawValue, files.places) }
}
