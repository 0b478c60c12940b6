internal import ArgumentParser
internal import FuekiSystem

/// `schedule install`: units for the user's own manager, shown, written and enabled.
struct ScheduleInstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Show a service and a timer, and have systemd run them for you.",
    discussion: "They are your own units, below ~/.config/systemd/user, and need no root.")

  @Flag(name: .withLetter(.yes), help: "Install without asking.")
  var yes = false
  @Flag(name: .withLetter(.dryRun), help: "Show the units, and install nothing.")
  var dryRun = false
  @OptionGroup var job: ScheduleOptions
  @OptionGroup var speech: OutputOptions

  func validate() throws {
    guard !job.watch || !job.drill else { throw ValidationError("--watch does not go with --drill") }
  }

  func run() throws {
    let console = speech.console
    let place = try UserUnits()
    if !dryRun { try UserUnits.check() }
    let units = SystemdUnits(try job.scheduledRun(Account.current ?? "", console), isForUser: true)
    for file in units.files {
      console.page("# \(place.path(of: file.name))\n\(file.text)")
    }
    guard !dryRun else { return end(units, nil) }
    guard try yes || isWanted(units, place) else {
      throw Failure(
        .usage, "nothing was installed", meaning: "no backup runs by itself",
        hint: "run it again with --yes to install the units without asking")
    }
    for file in units.files { try place.write(file.text, as: file.name) }
    try place.enable(units.enabled)
    end(units, place)
  }

  private func isWanted(_ units: SystemdUnits, _ place: UserUnits) throws -> Bool {
    guard Terminal.isAvailable, !speech.json else { return false }
    let present = units.files.map(\.name).filter(place.contains)
    let replaced = present.isEmpty ? "" : ", over \(present.joined(separator: " and "))"
    return try Asking.yes("write these into \(place.folder)\(replaced), and enable them", default: true)
  }

  private func end(_ units: SystemdUnits, _ place: UserUnits?) {
    let console = speech.console
    guard !speech.json else {
      return Document.write(ScheduleDocument(units.files, folder: place?.folder))
    }
    guard place != nil else { return }
    console.report("installed and enabled: \(units.enabled.joined(separator: " and "))")
    console.note("it runs while you are logged in. To run always: loginctl enable-linger")
    console.note("try it: systemctl --user start \(units.files.first?.name ?? "")")
  }
}

/// `schedule remove`: stops and removes what `schedule install` has written.
struct ScheduleRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Stop and remove the units that \"schedule install\" made.")

  @OptionGroup var speech: OutputOptions

  func run() throws {
    let place = try UserUnits()
    let names = ((try? Directory.open(place.folder).list()) ?? []).compactMap(\.text).filter {
      $0.hasPrefix("fueki-backup") && [".service", ".timer", ".path"].contains(where: $0.hasSuffix)
    }.sorted()
    guard !names.isEmpty else {
      throw Failure(
        .notFound, "there are no units of this program in \(place.folder)", meaning: "nothing was removed",
        hint:
          "units of the whole system are in /etc/systemd/system: systemctl disable --now fueki-backup.timer")
    }
    place.disable(names.filter { !$0.hasSuffix(".service") })
    for name in names { try place.remove(name) }
    place.reload()
    let removed = names.map { (name: $0, text: "") }
    guard !speech.json else { return Document.write(ScheduleDocument(removed, folder: place.folder)) }
    for name in names { speech.console.report("removed \(place.path(of: name))") }
  }
}
