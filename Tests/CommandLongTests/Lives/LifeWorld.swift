import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// The machines and the targets of a life, and every command that was run there.
final class LifeWorld {
  static let machines = 3
  private static let quick = ["--kdf-memory", "64", "--kdf-passes", "2"]

  let scratch: Machine
  var folders: LifeFolders
  /// The number of the machine that the person works on.
  private(set) var machine = 1
  /// The life so far as shell commands.
  private(set) var lines: [String] = []
  /// The sources that the configuration has.
  private(set) var sources: Set<LifeSource> = []
  /// Whether the person has a wallet of this program's own.
  private(set) var hasStore = false
  private var probes = 0
  private var days = 0
  private var passphrases = 0

  init() throws {
    scratch = try Machine(isPrepared: false)
    folders = try LifeFolders(scratch)
    try scratch.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try Directory.makePrivateDirectories(scratch.path(home))
    lines = [
      "R=$(mktemp -d); printf '%s' 'of the new keychain, 38 bytes are long' > $R/keychain.pass",
      "mkdir -p \((1...LifeFolders.count).map { "$R/target-\($0)" }.joined(separator: " ")) $R/\(home); umask 077",
      "on() { env HOME=$R/home-$1 FUEKI_STATE=$R/state-$1 FUEKI_DATADIR=$R/data-$1 ${P:+FUEKI_PASSPHRASE_FILE=$P}"
        + " FUEKI_KEYCHAIN_PASSPHRASE_FILE=$R/keychain.pass $FAULT $CLOCK fueki-backup \"${@:2}\"; }",
    ]
    _ = try newPassphrase()
  }

  var home: String { "home-\(machine)" }
  private var folder: String { "\(home)/.config/fueki-backup" }
  private var configuration: String { "\(folder)/config.toml" }

  /// Sets up this program's own wallet on the first machine.
  func prepareStore() throws {
    hasStore = true
    try copyStore()
  }

  func note(_ line: String) {
    lines.append(
      line.split(separator: scratch.root, omittingEmptySubsequences: false).joined(separator: "$R"))
  }

  // MARK: passphrases

  private static func passphrase(_ number: Int) -> String { "\(Machine.passphrase), number \(number)" }

  /// The file in which the person has a passphrase.
  func passphraseFile(_ number: Int) -> String { scratch.path("passphrase-\(number)") }

  /// Makes the next passphrase's file.
  func newPassphrase() throws -> Int {
    passphrases += 1
    let text = Self.passphrase(passphrases)
    try scratch.write(text, to: "passphrase-\(passphrases)")
    note("printf '%s' '\(text)' > \(passphraseFile(passphrases))")
    return passphrases
  }

  /// The number of the passphrase that the machine has stored for its nights; nil before it is set up.
  var storedPassphrase: Int? { storedPassphrase(on: machine) }

  func storedPassphrase(on machine: Int) -> Int? {
    guard let stored = try? scratch.read("home-\(machine)/.config/fueki-backup/passphrase") else {
      return nil
    }
    return (1...passphrases).first { stored == Array(Self.passphrase($0).utf8) }
  }

  // MARK: files

  func write(_ bytes: [UInt8], to place: LifePlace, _ how: String) throws {
    let path = "\(home)/\(place.path)"
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    try Directory.makePrivateDirectories(scratch.path(String(folder)))
    try scratch.write(bytes, to: path)
    note("mkdir -p $R/\(folder); # \(how): \(bytes.count) bytes into $R/\(path)")
  }

  func delete(_ place: LifePlace) throws {
    try scratch.remove("\(home)/\(place.path)")
    note("rm $R/\(home)/\(place.path)")
  }

  /// The files of a machine's home.
  func files(_ home: String? = nil) -> [LifePlace: [UInt8]] {
    var files: [LifePlace: [UInt8]] = [:]
    for place in LifePlace.allCases {
      files[place] = try? scratch.read("\(home ?? self.home)/\(place.path)")
    }
    return files
  }

  /// Names at home that no run may leave.
  func strayNames() throws -> [String] {
    var stray: [String] = []
    try scratch.visit(home) { path, _ in
      if path.contains("/.fueki-") && path.hasSuffix(".part") { stray.append(path) }
    }
    return stray
  }

  // MARK: runs

  func stepClock(_ days: Int) {
    self.days += days
    note("CLOCK='\(clock.joined(separator: " "))'")
  }

  /// Whether the clock of the machine is another than this one's.
  var hasOwnClock: Bool { days != 0 }

  /// The program that sets the clock; the times of files stay, since processes in a box see the real ones.
  private var clock: [String] {
    guard days != 0 else { return [] }
    return ["/usr/bin/env", "NO_FAKE_STAT=1", "/usr/bin/faketime", "-f", "\(days > 0 ? "+" : "")\(days)d"]
  }

  /// Runs the program on the user's machine, with the passphrase of this number if one is given.
  func run(_ arguments: [String], passphrase: Int? = nil, fault: LifeFault? = nil) throws -> RunResult {
    try run(arguments, passphrase: passphrase, fault: fault, on: "\(machine)")
  }

  func run(
    _ arguments: [String], passphrase: Int?, fault: LifeFault? = nil, on name: String
  ) throws -> RunResult {
    let fault = Strace.isPermitted ? fault : nil
    var environment = [
      "HOME": scratch.path("home-\(name)"), "FUEKI_STATE": scratch.path("state-\(name)"),
      "FUEKI_DATADIR": scratch.path("data-\(name)"),
      "FUEKI_KEYCHAIN_PASSPHRASE_FILE": scratch.path("keychain.pass"),
    ]
    environment["FUEKI_PASSPHRASE_FILE"] = passphrase.map(passphraseFile)
    let result = try scratch.run(arguments, through: (fault?.through ?? []) + clock, environment: environment)
    let words = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
    let before =
      (passphrase.map { "P=\(passphraseFile($0)) " } ?? "")
      + (fault.map { "FAULT='\($0.through.joined(separator: " "))' " } ?? "")
    note("\(before)on \(name) \(words)  # ended with \(result.status)")
    return result
  }

  /// Sets the machine up for backups, as a person does with the README.
  func setUp(passphrase: Int) throws -> RunResult {
    let targets = (1...LifeFolders.count).flatMap { ["--target", folders.path($0)] }
    let made = try run(
      ["init", "--no-sign-key", "--add-wallets", "--target-kind", "local"] + targets + Self.quick,
      passphrase: passphrase)
    // The nightly runs get a file of their own, which changes with the passphrase.
    let (given, own) = (passphraseFile(passphrase), scratch.path("\(folder)/passphrase"))
    let settings = ownConfiguration
    if settings.contains(given) || !settings.contains("passphrase_file") {
      try scratch.write(try scratch.read("passphrase-\(passphrase)"), to: "\(folder)/passphrase")
      note("cp \(given) \(own)")
    }
    if settings.contains(given) {
      try scratch.write(settings.replacing(given, with: own), to: configuration)
      note("sed -i 's:\(given):\(own):' $R/\(configuration)")
    } else if !settings.contains("passphrase_file") {
      try set("passphrase_file = \"\(own)\"")
    }
    // A full archive now and then, and between them the differences.
    try set("full_every = \"30d\"")
    learnSources()
    return made
  }

  /// Reads which sources the program wrote into the configuration.
  func learnSources() {
    let configuration = ownConfiguration
    sources = Set(LifeSource.allCases.filter { $0.isIn(configuration) })
  }

  /// Adds a line to the configuration's vault.
  private func set(_ line: String) throws {
    let settings = ownConfiguration
    guard let place = settings.firstRange(of: "kdf_memory") else { return }
    try scratch.write(
      settings[..<place.lowerBound] + line + "\n" + settings[place.lowerBound...], to: configuration)
    note("sed -i 's:^kdf_memory:\(line)\\n&:' $R/\(configuration)")
  }

  private var ownConfiguration: String {
    String(decoding: (try? scratch.read(configuration)) ?? [], as: UTF8.self)
  }

  /// Adds a source unless the configuration has it.
  func add(_ source: LifeSource) throws {
    guard sources.insert(source).inserted else { return }
    let table = "\n[[source]]\nkind = \"\(source.kind)\"\npath = \"\(source.path)\"\n"
    try scratch.write(ownConfiguration + table, to: configuration)
    note("printf '\(table.split(separator: "\n").joined(separator: "\\n"))\\n' >> $R/\(configuration)")
  }

  /// Whether another machine's configuration has the targets where they are.
  func hasTargets(_ machine: Int) -> Bool {
    let bytes = (try? scratch.read("home-\(machine)/.config/fueki-backup/config.toml")) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    return folders.away == nil
      && (1...LifeFolders.count).allSatisfy { text.contains("\"\(folders.path($0))\"") }
  }

  /// Renames a target's folder, in the configuration as well.
  func renameFolder(_ number: Int) throws {
    let old = folders.path(number)
    try folders.rename(number)
    let new = folders.path(number)
    let text = ownConfiguration.replacing("\"\(old)\"", with: "\"\(new)\"")
    try scratch.write(text, to: configuration)
    note("mv \(old) \(new); sed -i 's:\"\(old)\":\"\(new)\":' $R/\(configuration)")
  }

  /// Moves the person to the next machine, which has nothing yet.
  ///
  /// Returns false after the last one.
  func moveOn() throws -> Bool {
    guard machine < Self.machines else { return false }
    machine += 1
    try Directory.makePrivateDirectories(scratch.path(home))
    note("mkdir -p $R/\(home)")
    return true
  }

  private func restoring(_ archive: String, _ number: Int) -> [String] {
    [
      "restore", archive, "--target", folders.path(number), "--files", "home", "--accept=own-files",
      "--no-resync",
    ]
      + Self.quick
  }

  /// Restores an archive on the person's machine.
  func restore(
    _ archive: String, target number: Int, passphrase: Int, _ more: [String] = [], fault: LifeFault? = nil
  ) throws -> RunResult {
    try run(restoring(archive, number) + more, passphrase: passphrase, fault: fault)
  }

  /// Restores an archive on a new machine, and returns the restored files.
  func probe(
    _ archive: String, target number: Int, passphrase: Int, trusting trusts: Bool
  ) throws -> Probe {
    probes += 1
    let name = "probe-\(probes)"
    try Directory.makePrivateDirectories(scratch.path("home-\(name)"))
    note("mkdir -p $R/home-\(name)")
    let typed = trusts ? try trustSigner(of: archive, target: number, on: name) : []
    let result = try run(restoring(archive, number) + typed, passphrase: passphrase, on: name)
    let probe = Probe(
      result: result, files: self.files("home-\(name)"), records: try records(of: name))
    for folder in ["home", "state", "data"] where scratch.exists("\(folder)-\(name)") {
      try scratch.remove("\(folder)-\(name)")
    }
    return probe
  }

  /// Trusts an archive's signer on a machine, as a person does who compares it with the kit.
  ///
  /// - Returns: the option that names it for a restore, without which own files do not come home.
  @discardableResult
  func trustSigner(of archive: String, target number: Int, on name: String? = nil) throws -> [String] {
    let name = name ?? "\(machine)"
    let shown = try run(
      ["show", archive, "--target", folders.path(number), "--json"], passphrase: nil, on: name)
    // A damaged archive shows none.
    guard shown.status == 0, let signer = try shown.json()["header"]?["signer"]?.text else { return [] }
    let trusted = try run(
      ["key", "trust", signer, "--target", folders.path(number)], passphrase: nil, on: name)
    guard trusted.status == 0 else { throw PreparedMachine.Failed(run: trusted) }
    return ["--trusted-signer", signer]
  }

  /// The contents restored on a new machine.
  struct Probe {
    let result: RunResult
    let files: [LifePlace: [UInt8]]
    let records: LifeRecords
  }

  /// Removes the state of the person's machine.
  func loseState() throws {
    guard scratch.exists("state-\(machine)") else { return }
    try scratch.remove("state-\(machine)")
    note("rm -r $R/state-\(machine)")
  }

  /// Seals the newest archive with another passphrase, and stores it for the nights.
  func changePassphrase(
    from old: Int, to new: Int, _ more: [String], fault: LifeFault?
  ) throws -> RunResult {
    try run(
      [
        "key", "change-passphrase", "latest", "--update-passphrase-file", "--new-passphrase-from",
        "file:\(passphraseFile(new))",
      ] + more + Self.quick, passphrase: old, fault: fault)
  }
}
