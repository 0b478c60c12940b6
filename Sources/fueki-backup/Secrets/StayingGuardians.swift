internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// The guardians of a vault's last archive, who open the next one, too, until they are removed.
final class StayingGuardians {
  private let options: SlotOptions
  private let vault: VaultSettings
  private var set: GuardianSet?
  /// Whether the last archive has guardians whom the new one lacks, although no one removed them.
  private(set) var isLacking = false

  init(_ options: SlotOptions, _ vault: VaultSettings, _ configuration: Configuration) {
    (self.options, self.vault) = (options, vault)
    set = Self.of(vault, configuration)
  }

  /// Returns the guardians that this machine's state has for a vault's next archives.
  static func of(_ vault: VaultSettings, _ configuration: Configuration) -> GuardianSet? {
    guard let state = try? Places.state() else { return nil }
    let isOfStore = vault.from?.contains("store") ?? true
    let id = (isOfStore ? configuration.vaultID(of: vault) : vault.id) ?? (try? state.storelessVaultID())
    return id.flatMap { try? state.vault($0) }.flatMap(read)
  }

  private static func read(_ state: VaultState) -> GuardianSet? {
    state.guardians.flatMap { GuardianSet(line: $0) }
  }

  /// Reads the guardians of the vault that the run is about.
  func look(_ state: VaultState) { set = Self.read(state) }

  private var staying: GuardianSet? { options.guardians == nil && vault.guardians == nil ? set : nil }

  /// The guardians as a line of what opens an archive.
  var lines: [String] { staying.map { [$0.line] } ?? [] }

  /// Returns the slots with one for them, and warns if nothing is known here of the last archive's guardians.
  func added(to slots: [NewSlot], after last: StoredArchive?, _ console: Console) -> [NewSlot] {
    guard !options.excludesGuardians else { return slots }
    if let staying {
      console.report(
        "\(staying.sentence) can open it, as the last archive (--guardians none leaves them out)")
      return slots + [.guardians(staying)]
    }
    guard slots.guardians == nil, let gone = last?.slots.lazy.compactMap(\.guardians).first else {
      return slots
    }
    isLacking = true
    console.warning(
      "the last archive opens with \(gone.threshold) of \(gone.shareTags.count) guardians, and this one does not: "
        + "their public file is not known here. Use --guardians FILE, or --guardians none to leave them out"
    )
    return slots
  }
}

extension GuardianSet {
  /// The guardians in a few words.
  var sentence: String { "\(threshold) of \(shareTags.count) guardians" }
}
