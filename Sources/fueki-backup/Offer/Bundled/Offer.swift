internal import ArgumentParser
internal import FuekiStore
internal import FuekiSystem

/// The commands of the program next to archives: inspect them, and restore their contents.
enum Offer {
  static let name = ProgramBeside.name
  static let version = "\(ProgramBeside.name) \(Program.version)"
  static let abstract = "Bring wallets back from their encrypted backups: the program that is next to them."
  static let discussion = """
    With no command it looks for the archives and leads through the rest. It makes no backups and asks no server: the \
    whole program, fueki-backup, does. Where a text says fueki-backup, type ./fueki-restore.
    """
  static let groups = [
    CommandGroup(
      name: "Get back",
      subcommands: [RestoreCommand.self, PutBackCommand.self, ExportCommand.self, RepairCommand.self]),
    CommandGroup(
      name: "Check", subcommands: [ListCommand.self, ShowCommand.self, VerifyCommand.self]),
    CommandGroup(name: "Keys", subcommands: [SharesCommand.self]),
  ]

  /// Guides through a restore of the archives next to the program's folder, else of those on plugged-in disks.
  static func begin() throws {
    let beside = CurrentProcess.path.map { PathParts(PathParts($0).folder).folder }
    let places = beside.map { SearchedPlace.all(named: [], disks: [$0]) } ?? []
    var restore = try RestoreCommand.parse(places.isEmpty ? [] : beside.map { [$0] } ?? [])
    try restore.run()
  }

  static func after(isConfigured: Bool) -> String {
    "  install the whole program, fueki-backup: this one makes no backups and asks no server"
  }

  /// It has no network.
  static func resyncer(
    _ directory: String, _ configuration: Configuration, _ consent: EndpointOptions, _ console: Console,
    opening: @escaping () throws -> KeychainOpening
  ) -> StoreResyncer? { nil }
}
