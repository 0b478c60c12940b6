internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSystem

/// The output without a command on a terminal: a description, and the next step.
struct Welcome {
  private let console = Console(isJSON: false, isQuiet: false, isVerbose: false)

  func show() throws {
    let configuration = try ConfigurationOptions.parse([]).load()
    guard configuration.chosenTargets.isEmpty else { return try showState() }
    let archives = SearchedPlace.all(named: [], disks: MountedDisks.folders)
    let wallets = found(configuration)
    console.line("Lost a machine? fueki-backup restore")
    guard archives.isEmpty || wallets != nil else { return showArchives(archives) }
    console.line("This machine makes no backups yet\(wallets.map { ", and has \($0)" } ?? "").")
    console.line("Now:   fueki-backup init    sets them up, and asks for what it needs")
    console.line("First: fueki-backup demo    shows a backup made and restored, with a sample wallet")
    showHelp()
  }

  /// As `status` says it; that something is wrong is not this command's failure.
  private func showState() throws {
    do {
      let status = try StatusCommand.parse([])
      try status.run()
    } catch is ExitStatus {
      console.line("Now:   look at what is marked above. \"fueki-backup doctor\" explains what to do")
      return showHelp()
    }
    console.line("Now:   fueki-backup create    makes the next backup")
    showHelp()
  }

  private func showArchives(_ places: [SearchedPlace]) {
    for place in places.prefix(3) {
      let count = place.entries.count
      let newest = place.entries.compactMap(\.archive).first?.facts.created
      console.line(
        "\(place.target.path) has \(Readable.count(count, "archive"))"
          + (newest.map { ", the newest of \(LocalTime.text($0))" } ?? "")
          + ". This machine has no wallet.")
    }
    console.line("Now:   fueki-backup restore    brings the wallet back, step by step")
    showHelp()
  }

  private func showHelp() { console.line("All commands: fueki-backup --help") }

  /// The wallets of this machine, in a phrase; nil if there are none.
  private func found(_ configuration: Configuration) -> String? {
    let directory = try? DataOptions.standard(configuration)
    let hasStore = directory.map { (try? WalletStore.vaultID(ofStoreIn: $0)) != nil } ?? false
    let offered = (try? WalletsHere.findQuickly()).map { OfferedSources($0) }
    let count = offered?.count ?? 0
    let things =
      offered?.found.places.isEmpty == true ? "files that a restore put here" : "wallets of other programs"
    let others = count == 0 ? [] : [Readable.count(count, "place") + " with " + things]
    let all = (hasStore ? ["a Fueki wallet"] : []) + others
    return all.isEmpty ? nil : all.joined(separator: " and ")
  }
}
