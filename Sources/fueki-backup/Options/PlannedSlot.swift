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
  /// Returns the recipients of the vault's next archives.
  ///
  /// - Throws: errors from reading the file that the configuration names.
  func archiveRecipients() throws -> [NamedRecipient] {
    let listed = try recipientsFile.map(NamedRecipient.all) ?? []
    return try (recipients.map(NamedRecipient.init) + listed).map { $0.declared(postQuantum) }
  }

  /// Plans the slots of the vault's next archives, as far as no passphrase is given.
  ///
  /// - Parameter staying: the guardians that open them as they open the last one, unless the configuration lists others.
  /// - Returns: the slots, in their order.
  /// - Throws: errors from reading the files that the configuration names.
  func plannedSlots(staying: GuardianSet? = nil) throws -> [PlannedSlot] {
    let slots = try archiveRecipients().map { recipient in
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
