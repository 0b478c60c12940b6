internal import ArgumentParser
internal import FuekiCrypto
internal import FuekiSystem

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
      return Document.write([
        "schema": "fueki.install/1", "prefix": folder, "dryRun": dryRun,
        "files": steps.map { ["path": "\(folder)/\($0.file.path)", "step": $0.step.rawValue] as Members },
      ])
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

/// The program's files below a prefix.
///
/// Files of an earlier installation are recognized by their digests, in a list that `sha256sum --check` reads too. Any
/// other existing file belongs to another program, or was changed by hand, and is left alone.
struct Installation {
  /// The step for a file.
  enum Step: String {
    case write
    case replace
    case keep
  }

  private static let list = "share/fueki-backup/SHA256SUMS"
  private let prefix: String
  private let files: [InstalledFile]

  init(of files: [InstalledFile], below prefix: String) {
    self.files = files
    self.prefix = prefix
  }

  /// Returns the steps, file by file, without changing anything.
  ///
  /// - Throws: a failure that lists every file in the way.
  func plan() throws -> [(file: InstalledFile, step: Step)] {
    let known = try earlierDigests()
    var inTheWay: [String] = []
    var steps: [(file: InstalledFile, step: Step)] = []
    for file in files {
      let found = try digest(of: file.path)
      steps.append((file, found == nil ? .write : found == file.digest ? .keep : .replace))
      guard let found, found != file.digest, known[file.path]?.contains(found) != true else { continue }
      inTheWay.append("\(prefix)/\(file.path)")
    }
    guard inTheWay.isEmpty else {
      throw Failure(
        .wouldOverwrite, "another program's, or changed since: \(inTheWay.joined(separator: ", "))",
        meaning: "nothing was installed", hint: "move them away, or choose another --prefix")
    }
    return steps
  }

  /// Puts every file in place, each in one step, so that a program that is running goes on with its own.
  func carryOut(_ steps: [(file: InstalledFile, step: Step)]) throws {
    var digests = try earlierDigests()
    for file in files { digests[file.path, default: []].append(file.digest) }
    // Both are known until all is done: an installation that was interrupted can be repeated.
    try put(Array(Self.text(digests).utf8), at: Self.list, permissions: 0o644)
    for (file, step) in steps where step != .keep {
      try put(file.bytes, at: file.path, permissions: file.permissions)
    }
    let last = Dictionary(uniqueKeysWithValues: files.map { ($0.path, [$0.digest]) })
    try put(Array(Self.text(last).utf8), at: Self.list, permissions: 0o644)
  }

  private static func text(_ digests: [String: [Digest]]) -> String {
    digests.sorted { $0.key < $1.key }.flatMap { path, digests in
      Set(digests).sorted().map { "\($0.hex)  ../../\(path)\n" }
    }.joined()
  }

  private func earlierDigests() throws -> [String: [Digest]] {
    var known: [String: [Digest]] = [:]
    guard let bytes = try read(Self.list) else { return known }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let gap = line.firstRange(of: "  ../../"),
        let digest = Digest(hex: String(line[..<gap.lowerBound]))
      else { continue }
      known[String(line[gap.upperBound...]), default: []].append(digest)
    }
    return known
  }

  private func digest(of path: String) throws -> Digest? {
    guard let bytes = try read(path) else { return nil }
    return SHA256.hash(bytes)
  }

  private func read(_ path: String) throws -> [UInt8]? {
    let (folder, name) = place(of: path)
    guard Self.isThere(folder), try Directory.open(folder).contains(name) else { return nil }
    return try Directory.open(folder).openFile(name).readAll(limit: 1 << 30)
  }

  private static func isThere(_ folder: String) -> Bool { (try? Directory.open(folder)) != nil }

  /// Returns the folder of a path below the prefix, and the file's name in it.
  private func place(of path: String) -> (folder: String, name: String) {
    let parts = path.split(separator: "/").map(String.init)
    return (([prefix] + parts.dropLast()).joined(separator: "/"), parts.last ?? "")
  }

  private func put(_ bytes: [UInt8], at path: String, permissions: UInt16) throws {
    let (folder, name) = place(of: path)
    try Directory.makeDirectories(folder, permissions: 0o755)
    try Directory.open(folder).writeWhole(bytes, as: name, permissions: permissions, replacing: true)
  }
}

/// A file of the program below a prefix, with its contents.
struct InstalledFile {
  /// Its path below the prefix.
  let path: String
  let bytes: [UInt8]
  let permissions: UInt16

  var digest: Digest { SHA256.hash(bytes) }
}

/// All that belongs to an installed program: itself, its pages, its schemas, and what shells complete with.
struct InstalledFiles {
  /// The longest file that is read; a program with debug information has some 100 MB.
  private static let limit = 1 << 30
  private let sources: String

  /// - Parameter sources: the source tree, or nil to look for one above the program and then the current folder.
  /// - Throws: ``CommandError/usage(_:)`` if there is none.
  init(sources: String?) throws {
    let program = CurrentProcess.path ?? ""
    let candidates = sources.map { [$0] } ?? Self.foldersAbove(program) + ["."]
    guard let found = candidates.first(where: Self.hasPages) else {
      throw CommandError.usage("the manual pages are not here: name the source tree with --from")
    }
    self.sources = found
  }

  private static func hasPages(_ folder: String) -> Bool {
    guard let directory = try? Directory.open("\(folder)/man") else { return false }
    return (try? directory.contains("fueki-backup.1")) ?? false
  }

  /// Returns the folders above a build, which include its sources.
  static func foldersAbove(_ path: String) -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folders: [String] = []
    while parts.count > 1 {
      folders.append(parts.joined(separator: "/"))
      parts.removeLast()
    }
    return folders
  }

  func all() throws -> [InstalledFile] {
    let program = try File.open(CurrentProcess.executable).readAll(limit: Self.limit)
    return try pages() + schemas() + reader() + completions()
      + [InstalledFile(path: "bin/fueki-backup", bytes: program, permissions: 0o755)]
  }

  private func pages() throws -> [InstalledFile] {
    try files(in: "man") { name in
      guard let number = name.last, number.isNumber, name.hasPrefix("fueki-") else { return nil }
      return "share/man/man\(number)/\(name)"
    }
  }

  /// Returns the files that read archives without this program.
  ///
  /// `kit bundle` puts them next to the archives.
  private func reader() throws -> [InstalledFile] {
    try files(in: "TestVectors") { $0 == "reader.py" ? "share/fueki-backup/\($0)" : nil }
  }

  private func schemas() throws -> [InstalledFile] {
    try files(in: "Sources/fueki-backup/Schemas") { name in
      name.hasSuffix(".json") ? "share/fueki-backup/schemas/\(name)" : nil
    }
  }

  private func completions() -> [InstalledFile] {
    [
      ("share/bash-completion/completions/fueki-backup", CompletionShell.bash),
      ("share/zsh/site-functions/_fueki-backup", .zsh),
      ("share/fish/vendor_completions.d/fueki-backup.fish", .fish),
    ].map { path, shell in
      let script = CompletionScript.withOtherNames(FuekiBackupCommand.completionScript(for: shell))
      return InstalledFile(path: path, bytes: Array(script.utf8) + [UInt8(ascii: "\n")], permissions: 0o644)
    }
  }

  private func files(in folder: String, _ place: (String) -> String?) throws -> [InstalledFile] {
    let directory = try Directory.open("\(sources)/\(folder)")
    var files: [InstalledFile] = []
    for entry in try directory.list() where entry.kind == .file {
      guard let name = entry.text, let path = place(name) else { continue }
      let bytes = try directory.openFile(name).readAll(limit: Self.limit)
      files.append(InstalledFile(path: path, bytes: bytes, permissions: 0o644))
    }
    return files.sorted { $0.path < $1.path }
  }
}

/// The scripts by which shells complete the program's command line.
enum CompletionScript {
  /// The script with a first step that turns another program's name for a command into this program's own.
  ///
  /// The parser's scripts know each command by its own name alone. Fish finds the command in another way, and stays as
  /// it is.
  static func withOtherNames(_ script: String) -> String {
    let start = "\n_\(Offer.name)() {\n"
    guard let place = script.firstRange(of: start) else { return script }
    let isZsh = script.hasPrefix("#compdef")
    let word = isZsh ? "words[2]" : "COMP_WORDS[1]"
    let isBehind = isZsh ? "(( CURRENT > 2 ))" : "(( COMP_CWORD > 1 ))"
    let cases = OtherNames.table.map { "    \($0.other)) \(word)=\($0.own) ;;\n" }.joined()
    let step = "    \(isBehind) && case \"${\(word)}\" in\n\(cases)    esac\n"
    return "\(script[..<place.upperBound])\(step)\(script[place.upperBound...])"
  }
}
