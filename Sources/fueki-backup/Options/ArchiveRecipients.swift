internal import FuekiArchive

/// The recipients of an archive: the owner's, and those that the policy adds.
struct ArchiveRecipients {
  let own: [NamedRecipient]
  /// The policy's recipients that have a slot.
  let added: [NamedRecipient]
  /// The policy's recipients for which no slot is left.
  let leftOut: [NamedRecipient]

  var all: [NamedRecipient] { own + added }

  var slots: [NewSlot] { all.map { NewSlot($0.recipient, opening: $0.mask) } }

  /// Adds the policy's recipients to the owner's, as far as there is room with a passphrase and guardians.
  init(_ own: [NamedRecipient], _ policy: MachinePolicy? = nil) {
    self.init(own, policy, besides: Set(own.map(\.text)), room: Limits.slots.upperBound - 2 - own.count)
  }

  /// Adds the policy's recipients to the slots of an archive.
  init(_ slots: [NewSlot], _ policy: MachinePolicy?) {
    let present = Set(slots.compactMap(\.recipient.text))
    self.init([], policy, besides: present, room: Limits.slots.upperBound - slots.count)
  }

  private init(_ own: [NamedRecipient], _ policy: MachinePolicy?, besides present: Set<String>, room: Int) {
    let wanted = (policy?.agreed ?? []).filter { !present.contains($0.text) }
    self.own = own
    added = Array(wanted.prefix(max(0, room)))
    leftOut = Array(wanted.dropFirst(max(0, room)))
  }
}

extension VaultSettings {
  /// Returns the recipients of the vault's next archives.
  ///
  /// - Throws: errors from reading the file that the configuration names.
  func archiveRecipients() throws -> ArchiveRecipients {
    let listed = try recipientsFile.map(NamedRecipient.all) ?? []
    let own = try recipients.map(NamedRecipient.init) + listed
    return ArchiveRecipients(own.map { $0.declared(postQuantum) }, policy)
  }
}
