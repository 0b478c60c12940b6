internal import FuekiArchive

/// A slot that the configuration asks for, and whose it will be.
struct PlannedSlot {
  let type: SlotType
  /// For a plugin's slot, as configured: the plugin is not asked.
  let isForTheLongTerm: Bool
  let holder: String
  let mask: ScopeMask

  /// The scopes in a few words.
  var sentence: String {
    mask == .all ? "everything" : mask.scopes.map(\.name).joined(separator: ", ")
  }
}

extension VaultSettings {
  /// Plans the slots of the vault's next archives, as far as no passphrase is given.
  ///
  /// - Parameters:
  ///   - recipients: the vault's.
  ///   - staying: the guardians that open them as they open the last one, unless the configuration lists others.
  /// - Returns: the slots, in their order.
  /// - Throws: errors from reading the guardians' file.
  func plannedSlots(
    for recipients: ArchiveRecipients, staying: GuardianSet? = nil
  ) throws -> [PlannedSlot] {
    let slots = recipients.all.map { recipient in
      PlannedSlot(
        type: recipient.recipient.type, isForTheLongTerm: recipient.recipient.isForTheLongTerm,
        holder: recipient.text, mask: recipient.mask)
    }
    guard let guardians = try guardians.map(GuardianFile.read) ?? staying else { return slots }
    let origin = self.guardians ?? "as in the last archive"
    let holder = "\(guardians.sentence) (\(origin))"
    return slots + [
      PlannedSlot(
        type: guardians.type, isForTheLongTerm: guardians.isForTheLongTerm, holder: holder, mask: .all)
    ]
  }
}
