internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

// The needs of commands that report on targets, or change the archives in them.

extension SandboxNeeds {
  /// Adds the rights to change the archives in these targets, and this machine's state.
  mutating func change(_ targets: [Target]) {
    writable += targets.filter { $0.kind != .rclone && !$0.isAppendOnly }.map(\.path)
    keepState()
  }

  /// Adds the right to write to this machine's state.
  mutating func keepState() {
    state = .write
    makesState = true
  }

  /// Adds the rights to read files with passphrases, and to see whether they or their successors exist.
  mutating func readPassphrases(at paths: [String]) {
    for path in paths {
      let file = StoredPassphrase(at: path)
      readable += [path, file.path, file.successor]
      listable.append(OutputFile.folder(of: file.path))
    }
  }

  /// Adds the right to read the programs next to archives, which a right to the home folder's files leaves out.
  mutating func readPrograms() {
    readable += targets.flatMap(ProgramBeside.folders).map(\.path)
  }
}

extension PruneCommand {
  func needs(_ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([], targets, nil, configuration)
    needs.readPassphrases(at: LostState.files(configuration))
    needs.change(dryRun ? [] : needs.targets)
    return needs
  }
}

extension CopyCommand {
  func needs(_ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([], targets, trust, configuration)
    needs.readPassphrases(at: LostState.files(configuration))
    // A target that only adds gets copies, too.
    needs.writable = SandboxNeeds.folders(of: needs.targets)
    needs.keepState()
    if publicationOptions(configuration).parity != nil { needs.programs = Parity.programs }
    return needs
  }
}

extension StatusCommand {
  func needs(
    of roots: [Target], _ secrets: SecretTrial.Candidates, _ configuration: Configuration
  ) throws -> SandboxNeeds {
    var needs = SandboxNeeds([], targets, nil, configuration)
    needs.asks = false
    needs.targets = roots
    needs.readPassphrases(at: LostState.files(configuration) + secrets.paths)
    needs.keepState()
    let report = try report.map(JUnitReport.path)
    needs.writable = try [html, report, prometheus, newList.writeExpected].compactMap(\.self)
      .map { OutputFile.folder(of: try AbsolutePath.of($0)) }
    needs.listable += StatusLines.timerFolders
    return needs
  }
}

extension DoctorCommand {
  func needs(_ secrets: SecretTrial.Candidates, _ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([], targets, nil, configuration)
    needs.asks = false
    needs.readPassphrases(at: LostState.files(configuration) + secrets.paths)
    // A trial writes files of a few bytes.
    needs.writable = SandboxNeeds.folders(of: needs.targets)
    needs.readPrograms()
    return needs
  }

  /// Returns the needs of a machine that watches others.
  func needs(watching roots: [Target], _ configuration: Configuration) -> SandboxNeeds {
    var needs = SandboxNeeds([], targets, nil, configuration)
    needs.asks = false
    needs.targets = roots
    return needs
  }
}

extension SandboxNeeds {
  /// Returns the folders of the targets on this machine.
  static func folders(of targets: [Target]) -> [String] {
    targets.filter { $0.kind != .rclone }.map(\.path)
  }
}
