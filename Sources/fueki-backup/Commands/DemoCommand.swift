internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSample
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `demo`: the whole story in a fresh directory, each step by the program itself, in a process of its own.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Try a backup and a restore with a sample wallet.",
    discussion: "The sample's secrets are public: never fund them.")

  @Option(
    help: ArgumentHelp("Keep everything in this new directory.", valueName: "dir"), completion: .directory)
  var keep: String?
  @Option(help: ArgumentHelp("The seed of the sample wallet.", valueName: "n"))
  var seed: UInt64 = 1
  @Option(help: ArgumentHelp("How many transactions it has.", valueName: "n"))
  var transactions = 2000
  @Option(
    help: ArgumentHelp(
      "Also ask this Ethereum-like node (JSON-RPC) after the restore.", valueName: "url"))
  var node: String?
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let stage = try DemoStage(keep: keep)
    var steps: [DemoDocument.Step] = []
    func step(_ title: String, _ body: () throws -> String) throws {
      let start = SystemClock.monotonicSeconds
      let result = try body()
      let seconds = SystemClock.monotonicSeconds - start
      console.line("\(title)  (\(Readable.seconds(seconds)))")
      for line in result.split(separator: "\n") { console.line("    \(line)") }
      steps.append(DemoDocument.Step(step: title, seconds: seconds))
    }

    var added: Wallet?
    if let node {
      try step("the node of the last step") {
        let node = try DemoNode(node)
        added = node.wallet
        return node.sentence
      }
    }
    try step("a sample wallet on the old machine") { try makeWallet(stage, with: added) }
    try step("$ fueki-backup create --target backups") {
      try stage.run(
        on: .old,
        ["create", "--target", stage.target, "--label", "demo"] + stage.archiveSecret
          + stage.keychainSecret(.old))
    }
    try step("$ fueki-backup list backups") { try stage.run(on: .old, ["list", stage.target]) }
    try step("$ fueki-backup verify backups             # no secret") {
      try stage.run(on: .old, ["verify", stage.target])
    }
    try step("$ fueki-backup verify latest --depth contents") {
      try stage.run(
        on: .old, ["verify", "latest", "--target", stage.target, "--depth", "contents"] + stage.archiveSecret)
    }
    // The next comparison is with the archive, before a refresh adds to it.
    let later = added == nil ? [] : ["--no-resync"]
    let restore = (["$ fueki-backup restore latest --target backups"] + later).joined(separator: " ")
    try step("\(restore)   # on the new machine") {
      try stage.run(
        on: .new,
        ["restore", "latest", "--target", stage.target] + later + stage.archiveSecret
          + stage.keychainSecret(.new))
    }
    try step("the restored wallet against the old one") { try compare(stage) }
    if let added {
      let allowing = ["--accept", "archive-endpoints"]
      try step(
        "$ fueki-backup resync --wallet \"\(added.name)\" \(allowing.joined(separator: " "))   # on the new machine"
      ) {
        try stage.run(on: .new, ["resync", "--wallet", added.name] + allowing)
      }
    }
    let kept = stage.finish()
    if output.json { Document.write(DemoDocument(steps: steps, kept: kept)) }
    console.line(kept.map { "kept in \($0)" } ?? "everything was removed again; --keep DIR keeps it")
  }

  private func makeWallet(_ stage: DemoStage, with added: Wallet?) throws -> String {
    let slot = NewKeychainSlot.passphrase(try stage.keychainPassphrase(.old), cost: DemoStage.cost)
    let store = try SampleWallet(seed: seed, transactions: transactions).write(
      to: stage.dataDirectory(.old), keychain: [slot])
    defer { try? store.close() }
    if let added { try store.wallets.save(added) }
    let names = try store.wallets.all().map { "\($0.name) (\($0.kind), \($0.chainFamily))" }
    return names.joined(separator: "\n") + "\n\(try store.transactions.count()) transactions, "
      + "\(try store.keyShareDescriptors.all().count) key shares of one key described"
  }

  private func compare(_ stage: DemoStage) throws -> String {
    let old = try fingerprint(stage, .old)
    let new = try fingerprint(stage, .new)
    var lines: [String] = []
    for section in Section.allCases {
      let (a, b) = (old.sections[section], new.sections[section])
      guard a != nil || b != nil else { continue }
      guard a == b else { throw CommandError.comparisonFailed("\(section.name) differs after the restore") }
      lines.append("\(section.name) \(a?.records ?? 0)")
    }
    return "every record is equal: " + lines.joined(separator: ", ")
  }

  private func fingerprint(_ stage: DemoStage, _ machine: DemoStage.Machine) throws -> BundleFingerprint {
    var builder = BackupBundle.Builder()
    let opening = KeychainOpening([.passphrase(try stage.keychainPassphrase(machine))])
    try StoreCollector(dataDirectory: stage.dataDirectory(machine), keychain: opening).collect(
      CollectionRequest(), into: &builder)
    return try builder.build().fingerprint()
  }
}

/// `demo --json`.
struct DemoDocument: Encodable {
  struct Step: Encodable {
    let step: String
    let seconds: Double
  }

  let schema = "fueki.demo/1"
  let steps: [Step]
  let kept: String?
}
