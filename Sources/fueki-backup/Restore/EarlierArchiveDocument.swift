internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// An earlier archive that has things which a restored one lacks, in JSON.
struct EarlierArchiveDocument: Encodable {
  struct Thing: Encodable {
    let kind: String
    let name: String
    let item: String?
  }

  let sequence: UInt64
  let archive: String
  let paths: [String]
  let things: [Thing]
  let command: [String]?

  init(_ earlier: EarlierArchive, command: [String]?) {
    (sequence, archive, paths) = (earlier.link.sequence, earlier.link.digest, earlier.paths)
    things = earlier.absences.map { absence in
      Thing(
        kind: absence.holding.kind.rawValue, name: absence.holding.name.text,
        item: absence.holding.kind == .more ? nil : absence.holding.item)
    }
    self.command = command
  }
}
