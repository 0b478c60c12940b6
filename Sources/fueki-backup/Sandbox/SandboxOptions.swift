internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// Whether a command that parses what strangers may have written gives up its rights before.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep all rights while files are read that a stranger may have written.", visibility: .more))
  var noSandbox = false

  /// Gives up for good every right that the command does not need.
  ///
  /// Secrets have been read by now, and no thread has begun: a thread keeps the rights that it began with.
  ///
  /// - Returns: the configuration, with the facts that will no longer be accessible.
  /// - Throws: errors from reading those facts, and errors from the kernel.
  func enter(
    _ needs: SandboxNeeds, _ configuration: Configuration, _ console: Console
  ) throws -> Configuration {
    if let absence = noSandbox ? .option : needs.obstacle {
      SandboxReport.record(.off(absence), console)
      return configuration
    }
    let version = Sandbox.version
    let filtersCalls = ReaderBox.canFilterCalls
    guard version != nil || filtersCalls else {
      SandboxReport.record(.off(.kernel), console)
      return configuration
    }
    var (needs, configuration) = (needs, configuration)
    if needs.judgesArchives { try configuration.settle(followingState: needs.state == .write) }
    // A directory that cannot be made is reported when it is needed.
    if needs.makesState, let made = try? MadeFolders(Places.state().path) {
      needs.parents += [made.parent].compactMap(\.self)
      SandboxFolders.keep([made])
    }
    _ = try Sandbox.enter(needs.rules(configuration))
    SandboxReport.record(.on(landlock: version, seccomp: filtersCalls), console)
    return configuration
  }

  /// Returns the boxed processes that read other programs' files; nil with `--no-sandbox`.
  ///
  /// To be called before secrets are read and threads begin.
  func readers(_ console: Console, isJSON: Bool) -> Readers? {
    guard !noSandbox else {
      SandboxReport.record(.off(.option), console)
      return nil
    }
    return Readers(
      forkingNow: ReadingDeadline.limit, copier: WalletCopies.copier,
      sentence: { Failure(describing: $0).message },
      isReady: { box in
        SandboxReport.record(.on(landlock: box.landlock, seccomp: box.hasCallFilter), console)
      }, isStalled: { path, seconds in ReadingDeadline.giveUp(path, seconds, isJSON: isJSON) })
  }
}
