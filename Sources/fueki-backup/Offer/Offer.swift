internal import ArgumentParser
internal import FuekiStore

/// The commands of this program.
///
/// The program next to archives has fewer: see the folder `Bundled`.
enum Offer {
  static let name = "fueki-backup"
  /// The output of `--version`.
  static let version = Program.version
  static let abstract = "Encrypted backup and recovery for self-custody wallets."
  static let discussion =
    "Each command has a man page: fueki-backup-create(1), fueki-backup-restore(1), … Names of other programs work "
    + "too: \(OtherNames.phrase(offered: groups.flatMap(\.subcommands)))."
  static let groups = [
    CommandGroup(
      name: "Set up",
      subcommands: [DemoCommand.self, InitCommand.self, DiscoverCommand.self, ScheduleCommand.self]),
    CommandGroup(
      name: "Back up",
      subcommands: [CreateCommand.self, CopyCommand.self, ImportCommand.self, PruneCommand.self]),
    CommandGroup(
      name: "Get back",
      subcommands: [
        RestoreCommand.self, PutBackCommand.self, ResyncCommand.self, ExportCommand.self, RepairCommand.self,
      ]),
    CommandGroup(
      name: "Check",
      subcommands: [
        StatusCommand.self, ListCommand.self, ShowCommand.self, VerifyCommand.self, DrillCommand.self,
        DiffCommand.self, DoctorCommand.self,
      ]),
    CommandGroup(
      name: "Keys",
      subcommands: [KeyCommand.self, GuardiansCommand.self, SharesCommand.self, KitCommand.self]),
    CommandGroup(
      name: "Advanced",
      subcommands: [CheckpointCommand.self, ConfigCommand.self, InstallCommand.self, RecordsCommand.self]),
  ]

  /// Starts on a terminal without a command.
  static func begin() throws { try Welcome().show() }

  /// Returns the next step after a guided restore.
  static func after(isConfigured: Bool) -> String {
    isConfigured
      ? "  fueki-backup create  makes this machine's first backup"
      : "  fueki-backup init    sets up backups of this machine"
  }

  /// Returns the resyncer for a restored wallet.
  static func resyncer(
    _ directory: String, _ configuration: Configuration, _ consent: EndpointOptions, _ console: Console,
    opening: @escaping () throws -> KeychainOpening
  ) -> StoreResyncer? {
    StoreResyncer(directory, configuration, consent, console, opening: opening)
  }
}
