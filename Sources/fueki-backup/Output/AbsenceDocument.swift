internal import FuekiBackup
internal import FuekiSystem

/// A thing that earlier archives have and the newest has not, in JSON.
struct AbsenceDocument: Encodable {
  let kind: String
  let name: String
  let id: String
  let sequence: UInt64
  let archive: String
  let accepted: Bool

  init(_ absence: Absence) {
    (kind, name, id) = (absence.holding.kind.rawValue, absence.holding.name.text, absence.holding.id)
    (sequence, archive) = (absence.last.sequence, absence.last.digest)
    accepted = absence.isAccepted
  }
}
