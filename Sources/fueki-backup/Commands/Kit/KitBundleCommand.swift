internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `kit bundle`: puts the program that opens the archives next to them.
struct KitBundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle", abstract: "Copy the restore program next to the archives on a disk.",
    discussion: "Only on a target of kind local: anyone who can write there could replace the program.")

  @Argument(
    help: ArgumentHelp("The folder with the archives, on a disk to unplug.", valueName: "dir"),
    completion: .directory)
  var folder: String
  @Option(
    help: ArgumentHelp("The program to copy. The default is the installed one.", valueName: "file"),
    completion: .file())
  var program: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    guard let target = TargetOptions.only(folder).targets(loaded).first else { return }
    // Check the destination before the program.
    try KitBundle.check(target)
    // The program is asked for its version, which needs rights.
    let sources = try BundleSources(program: program)
    try signing.readCommand(console)
    let configuration = try sandbox.enter(needs(target, loaded), loaded, console)
    let bundle = KitBundle(sources: sources, target: target)
    let key = try key(configuration, console)
    let state = try Places.state().lock(purpose: "kit bundle", processID: CurrentProcess.identifier)
    let (program, step) = try bundle.place(signedWith: key, state)
    let trust = try ProgramTrust(try Places.state(), try TrustOptions.trust(configuration))
    let others = trust.unaccepted(in: target).filter { $0.folder != program.program.folder }
    for other in others {
      console.warning(
        "\(other.folder) has a program that neither this machine put there nor a signer of yours signed: "
          + "do not start it, and remove the folder if it is not yours")
    }
    for stray in StrayPages.all(in: target) {
      console.warning(
        "\(GivenWord.shown(stray)) was not put there by \"kit bundle\", and opens like a page or a program: "
          + "do not open it, and remove it if it is not yours")
    }
    let (folder, page) = (program.program.folder, program.program.pageDigest?.hex)
    guard !output.json else {
      return Document.write([
        "schema": "fueki.kit-bundle/1",
        "folder": folder,
        "version": program.program.version,
        "digest": program.digest.hex,
        "pageDigest": page,
        "step": step.rawValue,
        "signed": program.program.isSigned,
        "files": sources.files.map(\.path) + [ProgramBeside.list],
        "unknownPrograms": others.map(\.folder),
      ])
    }
    console.report(step == .write ? folder : "\(folder): there already, and the same")
    console.report("\(ProgramBeside.name) \(sources.version): SHA-256 \(program.digest.hex)")
    if let page { console.report("\(ProgramBeside.page): SHA-256 \(page)") }
    console.note(
      "print a new page with \"kit print\": it has this number, to compare with the program's. Then unplug the disk"
    )
  }

  /// A bundle without a signature is still one: the paper has the digest.
  private func key(_ configuration: Configuration, _ console: Console) throws -> SigningKey? {
    do {
      return try signing.key(
        configuration.meant ?? VaultSettings(), of: configuration.meantVaultID, console)
    } catch CommandError.noSecret(.signing) {
      console.note("the signing key is sealed and was not opened: the program's digest is not signed")
      return nil
    }
  }
}

/// Puts the program that restores next to the archives on a disk, in a folder that never changes again.
struct KitBundle {
  /// The outcome.
  enum Step: String {
    case write
    case keep
  }

  let sources: BundleSources
  let target: Target

  /// - Throws: a failure where others could put a program of their own in its place: what people type their words into
  ///   must be out of their reach.
  static func check(_ target: Target) throws {
    let reason: (why: String, hint: String)? =
      switch target.kind {
      case .rclone: ("is a remote", "bundle it on a disk that you can unplug")
      case .synced:
        (
          "counts as synced",
          "if it is a disk that you can unplug, say so in config.toml: a [[target]] with kind = \"local\""
        )
      case .local where target.isAppendOnly:
        ("is append-only, which is for places that others reach", "bundle it on a disk that you can unplug")
      case .local: nil
      }
    if let reason {
      throw Failure(
        .usage, "the folder \(GivenWord.shown(target.path)) \(reason.why): no program is put there",
        meaning: "anyone who can write there could replace the program that asks for the passphrase",
        hint: reason.hint)
    }
    guard (try? Directory.open(target.path)) != nil else { throw TargetError.noTarget(path: target.path) }
  }

  /// Writes the complete folder, reads it back, and then writes the page that refers to it.
  ///
  /// - Parameters:
  ///   - key: signs the list of digests; nil leaves it unsigned.
  ///   - state: remembers the program first, so that an interrupted one is known.
  /// - Returns: the program as it is on the disk, and whether it was written or already there.
  /// - Throws: exit status 40 if the same version exists with other bytes.
  func place(signedWith key: SigningKey?, _ state: LockedState) throws -> (
    program: BundledProgram, step: Step
  ) {
    let directory = try Directory.open(target.path)
    let name = ProgramBeside.folderName(sources.version)
    for digest in [sources.digest, sources.pageDigest].compactMap(\.self) {
      try state.note(program: digest, version: sources.version)
    }
    removeAbandoned(directory)
    let step: Step = try directory.contains(name) ? .keep : .write
    if step == .write { try write(name, key, in: directory) }
    let folder = "\(target.path)/\(name)"
    let program: BundledProgram
    switch BundledProgram.read(from: folder, sources) {
    case .success(let found): program = found
    case .failure where step == .write: throw TargetError.readBackDiffers(path: folder)
    case .failure(let difference):
      throw Failure(
        .wouldOverwrite, "\(folder) \(difference.words)",
        meaning: "a kit on paper may have its digest, so it was left as it is",
        hint: "compare its digest with your kits. If none has it, remove the folder and bundle again")
    }
    let page = StartHere(program)
    for bytes in [page.text, page.html] {
      try state.note(program: SHA256.hash(bytes), version: StartHere.stateName)
    }
    try directory.writeWhole(page.text, as: StartHere.textName, permissions: 0o644, replacing: true)
    try directory.writeWhole(page.html, as: StartHere.htmlName, permissions: 0o644, replacing: true)
    return (program, step)
  }

  private func write(_ name: String, _ key: SigningKey?, in directory: borrowing Directory) throws {
    let temporary = ".\(name).tmp"
    let list = sources.list
    // The disk may later be used by another user.
    try Directory.makeDirectories("\(target.path)/\(temporary)", permissions: 0o755)
    do {
      let folder = try directory.openDirectory(temporary)
      for file in sources.files {
        try folder.writeWhole(file.bytes, as: file.path, permissions: file.permissions, replacing: false)
      }
      if let key {
        let comment = "\(ProgramBeside.name) \(sources.version)"
        let signature = try FileSignature.sign(list, comment: comment, with: key)
        try folder.writeWhole(
          [UInt8](signature.utf8), as: ProgramBeside.signature, permissions: 0o644, replacing: false)
      }
      try folder.writeWhole(list, as: ProgramBeside.list, permissions: 0o644, replacing: false)
      _ = try folder.sync()
      try directory.rename(temporary, to: name, replacing: false)
      _ = try directory.sync()
    } catch {
      try? directory.removeTree(temporary)
      throw error
    }
  }

  /// Removes the leftovers of an interrupted run.
  ///
  /// The state's lock excludes other runs.
  private func removeAbandoned(_ directory: borrowing Directory) {
    let names = ((try? directory.list()) ?? []).compactMap(\.text)
    for name in names where name.wholeMatch(of: #/\.fueki-restore-[\d.]+\.tmp/#) != nil {
      try? directory.removeTree(name)
    }
  }
}

/// Pages and programs in the archives' folder that a finder of the disk may open, and that `kit bundle` does not write.
enum StrayPages {
  /// Endings of names that desktops open as a page or run as a program.
  private static let endings = [
    ".app", ".appimage", ".bat", ".cmd", ".com", ".command", ".desktop", ".exe", ".hta", ".htm", ".html",
    ".jar",
    ".js", ".lnk", ".mht", ".msi", ".pif", ".ps1", ".run", ".scr", ".sh", ".svg", ".url", ".vbs", ".webloc",
    ".xhtml", ".xht", ".xml",
  ]

  /// Returns the paths of such entries, in order.
  ///
  /// Folders with a program of a version are judged as such.
  static func all(in target: Target) -> [String] {
    guard target.kind != .rclone, let entries = try? Directory.open(target.path).list() else { return [] }
    let programs = Set(ProgramBeside.all(in: target).map { PathParts($0.folder).name })
    return entries.map { PathText.text($0.name) }.filter { name in
      let lower = name.lowercased()
      guard name != StartHere.textName, name != StartHere.htmlName, !programs.contains(name) else {
        return false
      }
      return lower.hasPrefix(ProgramBeside.name) || lower.contains("start-here")
        || endings.contains(where: lower.hasSuffix)
    }.sorted().map { "\(target.path)/\($0)" }
  }
}
