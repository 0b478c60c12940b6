internal import ArgumentParser

/// `install`: the program, its manual pages, its schemas and its completions, below a prefix.
struct InstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install the program, its manual pages and completions.",
    discussion: "It replaces only files of an earlier installation.")

  @Option(
    help: ArgumentHelp("Where to install, such as /usr/local.", valueName: "dir"), completion: .directory)
  var prefix: String
  @Option(
    help: ArgumentHelp(
      "The source tree. The default is the program's own.", valueName: "dir"),
    completion: .directory)
  var from: String?
  @Flag(name: .withLetter(.dryRun), help: "Say what would be installed, and write nothing.")
  var dryRun = false
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let files = try InstalledFiles(sources: from).all()
    let folder = prefix.count > 1 && prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
    let installation = Installation(of: files, below: folder)
    let steps = try installation.plan()
    if !dryRun { try installation.carryOut(steps) }
    guard !output.json else {
      return Document.write(InstallDocument(steps, prefix: folder, isDryRun: dryRun))
    }
    for (file, step) in steps {
      let text = "\(folder)/\(file.path)"
      if step == .keep { console.detail("\(text): the same already") } else { console.report(text) }
    }
    if dryRun { return console.report("nothing was written (--dry-run)") }
    if steps.allSatisfy({ $0.step == .keep }) { console.report("everything is already installed") }
    console.note("new shells complete fueki-backup's commands. The first page to read: man fueki-backup")
  }
}

/// `install --json`.
struct InstallDocument: Encodable {
  struct File: Encodable {
    let path: String
    let step: String
  }

  let schema = "fueki.install/1"
  let prefix: String
  let dryRun: Bool
  let files: [File]

  init(_ steps: [(file: InstalledFile, step: Installation.Step)], prefix: String, isDryRun: Bool) {
    self.prefix = prefix
    dryRun = isDryRun
    files = steps.map { File(path: "\(prefix)/\($0.file.path)", step: $0.step.rawValue) }
  }
}
