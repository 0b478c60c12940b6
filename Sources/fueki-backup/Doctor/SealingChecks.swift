internal import FuekiArchive

/// Whether the next archives stay sealed when quantum computers come.
enum SealingChecks {
  static func check(_ vault: VaultSettings) -> Check? {
    let name = "long-term"
    // What cannot be read is told where the files are looked at.
    guard let slots = try? SlotOptions.planned(vault) else { return nil }
    let weak = slots.filter { !$0.type.isForTheLongTerm }
    guard let first = weak.first else { return .ok(name, "the next archives are sealed for the long term") }
    let others = weak.count > 1 ? " and \(weak.count - 1) more" : ""
    let remedy =
      first.type.isNamedByGuardians
      ? "fueki-backup guardians split makes hybrid guardians; name their public file in the configuration"
      : "fueki-backup key generate --recipient makes a hybrid pair; name its age1pq1… in the configuration"
    return .warning(
      name,
      "who records the next archives now could open them with a quantum computer: \(first.holder)\(others)",
      remedy: remedy + ", and key add puts it into a vault in use")
  }
}
