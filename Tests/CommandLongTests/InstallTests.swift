import FuekiSystem
import TestSupport
import Testing

/// Installing below a prefix, and the shells that then complete the program's commands.
struct InstallTests {
  private static let hasBash = Installed.runs("/bin/bash")
  private static let hasZsh = Installed.runs("/usr/bin/zsh")
  private static let hasFish = Installed.runs("/usr/bin/fish")
  /// The typed text, and its completion by the shell.
  private static let typed = [
    ("cre", "create"), ("create --dry", "--dry-run"), ("key change", "change-passphrase"),
    ("verify --depth cont", "contents"), ("import --on-conflict ren", "rename"),
    ("resync --policy cache-f", "cache-first"), ("export --format cs", "csv"),
    ("import --format elec", "electrum"),
    ("create --only contac", "contacts"), ("create --exclude hist", "history"),
    ("create --from tss", "tss-lib:"), ("restore --accept hazard=light", "hazard=lightning"),
    ("create --key-file pap", "paper.txt"), ("restore pap", "paper.txt"),
    ("create --target pla", "plates/"),
  ]

  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("here/plates"))
    try machine.write("", to: "here/paper.txt")
  }

  private var here: String { machine.path("here") }

  @discardableResult
  private func install(_ more: [String] = [], status: Int32 = 0) throws -> RunResult {
    let run = try machine.run(
      ["install", "--prefix", machine.path("prefix"), "--from", SourceTree.path] + more, status: status)
    return run
  }

  @Test func `the program, each page and each schema are there, and readable for everybody`() throws {
    #expect(try install(["--dry-run"]).text.contains("/bin/fueki-backup\n"))
    #expect(!machine.exists("prefix"))
    try install()
    let pages = try Directory.open("\(SourceTree.path)/man").list().compactMap(\.text)
    for page in pages {
      let installed = try machine.read("prefix/share/man/man\(page.suffix(1))/\(page)")
      #expect(try installed == TestVectors.file("../man/\(page)"), "\(page)")
    }
    try machine.visit("prefix") { path, entry in
      let folder = try Directory.open(
        machine.path(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])))
      let permissions = try folder.status(of: entry.name).permissions
      let isProgram = path.hasSuffix("bin/fueki-backup")
      #expect(permissions == (entry.kind == .directory || isProgram ? 0o755 : 0o644), "\(path)")
    }
    try BuiltBinary.run(program: machine.path("prefix/bin/fueki-backup"), ["--version"]).expect(0)
    let sums = try BuiltBinary.run(
      program: "/usr/bin/sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"],
      cwd: machine.path("prefix/share/fueki-backup"))
    #expect(sums.status == 0, "\(sums.text)")
  }

  @Test func `other files there stay, and those of an earlier installation are replaced`() throws {
    try machine.write("somebody's own program", to: "prefix/bin/fueki-backup")
    let refused = try install(status: 40)
    #expect(refused.errors.contains(machine.path("prefix/bin/fueki-backup")))
    #expect(try machine.snapshot(of: "prefix").count == 2)
    try machine.remove("prefix")

    try install()
    let before = try machine.snapshot(of: "prefix")
    #expect(try install().text == "everything is already installed\n")
    #expect(try machine.snapshot(of: "prefix") == before)
    // As if the earlier version's page had been another.
    let page = "prefix/share/man/man1/fueki-backup.1"
    let list = "prefix/share/fueki-backup/SHA256SUMS"
    try machine.write("the page of an earlier version", to: page)
    try install(status: 40)
    let sum = try BuiltBinary.run(program: "/usr/bin/sha256sum", [machine.path(page)]).text.prefix(64)
    let sums = try machine.text(list).split(separator: "\n").map(String.init)
    let other = sums.map {
      $0.hasSuffix("/fueki-backup.1") ? "\(sum)  ../../share/man/man1/fueki-backup.1" : $0
    }
    try machine.write(other.joined(separator: "\n") + "\n", to: list)
    try install()
    #expect(try machine.read(page) == before[page])
    #expect(try machine.read(list) == before[list])
  }

  @Test func `without the manual pages nothing is installed`() throws {
    let run = try machine.run(
      ["install", "--prefix", machine.path("prefix"), "--from", machine.root], status: 64)
    #expect(run.errors.contains("--from"))
    #expect(!machine.exists("prefix"))
  }

  @Test(.enabled(if: hasBash, "this machine has no bash"), arguments: TestSeed.sample(typed, of: 6))
  func `bash completes`(_ line: String, _ completed: String) throws {
    try install()
    let script = """
      source "$1"; read -ra COMP_WORDS <<<"$2"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2
      COMP_POINT=${#COMP_LINE}; $(complete -p fueki-backup | sed 's/.*-F \\([^ ]*\\) .*/\\1/') fueki-backup \
      "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let file = machine.path("prefix/share/bash-completion/completions/fueki-backup")
    let run = try BuiltBinary.run(
      program: "/bin/bash", ["--norc", "-c", script, "bash", file, "fueki-backup \(line)"],
      environment: ["PATH": "\(machine.path("prefix/bin")):/usr/bin:/bin"], cwd: here)
    #expect(run.errors.isEmpty, "\(run.errors)")
    // With -o filenames it is the shell that puts the slash behind a folder's name.
    let word = completed.hasSuffix("/") ? completed.dropLast() : completed[...]
    #expect(run.text.split(whereSeparator: \.isWhitespace).contains(word), "\(run.text)")
  }

  @Test(
    .enabled(if: hasFish, "this machine has no fish"),
    arguments: TestSeed.sample(typed.filter { $0.1 != "tss-lib:" }, of: 6))
  func `fish completes`(_ line: String, _ completed: String) throws {
    try install()
    let file = machine.path("prefix/share/fish/vendor_completions.d/fueki-backup.fish")
    let run = try BuiltBinary.run(
      program: "/usr/bin/fish",
      ["-N", "-c", "source $argv[1]; complete -C $argv[2]", file, "fueki-backup \(line)"],
      environment: [
        "HOME": machine.path("home"), "PATH": "\(machine.path("prefix/bin")):/usr/bin:/bin",
      ], cwd: here)
    // Completions from the program itself are not testable here: the beginnings of sources.
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.text.split(separator: "\n").contains { $0.hasPrefix(completed) }, "\(run.text)")
  }

  @Test(.enabled(if: hasZsh, "this machine has no zsh"), arguments: TestSeed.sample(typed, of: 6))
  func `zsh completes`(_ line: String, _ completed: String) throws {
    try install()
    // zsh completes only for an interactive user.
    let script = """
      zmodload zsh/zpty
      zpty -b session zsh -f -i
      zpty -w session "PROMPT=; fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D; print REA''DY"
      while [[ $text != *READY* ]]; do zpty -r session part || sleep 0.02; text+=$part; part=; done
      text=; zpty -w -n session "$2"$'\\t'
      while [[ $text != *$3* ]]; do zpty -r session part || sleep 0.02; text+=$part; part=; done
      """
    let run = try BuiltBinary.run(
      program: "/usr/bin/zsh",
      ["-f", "-c", script, "zsh", machine.path("prefix/share/zsh/site-functions")]
        + ["fueki-backup \(line)", completed],
      environment: [
        "HOME": machine.path("home"), "PATH": "\(machine.path("prefix/bin")):/usr/bin:/bin", "TERM": "dumb",
      ], cwd: here)
    #expect(run.status == 0 && !run.timedOut, "\(run.text) \(run.errors)")
  }
}
