internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// The old slots in a re-encrypted archive: those that a secret opens, and those that `--keep` and `--drop` decide about.
extension KeyChangeOptions {
  /// Returns the old slots, except for removed ones, ready to be sealed again.
  ///
  /// - Throws: ``CommandError/closedSlots(_:)`` if the fate of a closed slot is undecided.
  func kept(_ subject: Subject, without gone: Set<Int> = []) throws -> [NewSlot] {
    let promised = try keptByName(subject)
    let known = Set(subject.slots.map(\.number))
    for number in drop where !known.contains(number) {
      throw CommandError.usage("there is no slot \(number) to drop")
    }
    var kept: [NewSlot] = []
    var closed: [Int] = []
    for slot in subject.slots where !gone.contains(slot.number) && !drop.contains(slot.number) {
      guard let same = subject.open.newSlot(like: slot.number) ?? promised[slot.number] else {
        closed.append(slot.number)
        continue
      }
      kept.append(same)
    }
    guard closed.isEmpty else { throw CommandError.closedSlots(closed) }
    return kept
  }

  private func keptByName(_ subject: Subject) throws -> [Int: NewSlot] {
    var kept: [Int: NewSlot] = [:]
    for text in keep {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let number = Int(parts[0]),
        let slot = subject.slots.first(where: { $0.number == number })
      else {
        throw CommandError.usage("--keep takes N=age1… or N=FILE, with N the slot's number, not \(text)")
      }
      kept[number] = try Self.slot(like: slot, for: parts[1])
    }
    return kept
  }

  private static func slot(like slot: SlotSummary, for value: String) throws -> NewSlot {
    if slot.type.isNamedByKey {
      let recipient = try NamedRecipient(value).recipient
      guard recipient.type == slot.type else {
        throw CommandError.usage(
          "\(value) is not the recipient of slot \(slot.number), which is of type \(slot.type.name)")
      }
      return NewSlot(recipient, opening: slot.mask)
    }
    if slot.type.isNamedByGuardians {
      let guardians = try GuardianFile.read(value)
      guard guardians.type == slot.type, guardians.shareTags == slot.guardians?.shareTags else {
        throw CommandError.usage("\(value) is not the file of slot \(slot.number)'s guardians")
      }
      return .guardians(guardians, opening: slot.mask)
    }
    throw CommandError.usage(
      "slot \(slot.number) is of type \(slot.type.name): only its own secret can keep it, or --drop it")
  }
}
