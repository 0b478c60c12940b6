internal import ArgumentParser
internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSample
internal import FuekiStore
internal import FuekiSync
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
    var steps: [Members] = []
    func step(_ title: String, _ body: () throws -> String) throws {
      let start = SystemClock.monotonicSeconds
      let result = try body()
      let seconds = SystemClock.monotonicSeconds - start
      console.line("\(title)  (\(Readable.seconds(seconds)))")
      for line in result.split(separator: "\n") { console.line("    \(line)") }
      steps.append(["step": title, "seconds": seconds])
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
    if output.json { Document.write(["schema": "fueki.demo/1", "steps": steps, "kept": kept]) }
    console.line(kept.map { "kept in \($0)" } ?? "everything was removed again; --keep DIR keeps it")
  }

  private func makeWallet(_ stage: DemoStage, with added: Wallet?) throws -> String {
    let slot = NewKeychainSlot.passphrase(try stage.keychainPassphrase(.old), cost: DemoStage.cost)
    let store = try SampleWallet(seed: seed, transactions: transactions).write(
      to: stage.dataDirectory(.old), keychain: [slot])
    defer { try? store.close() }
    if let added { try store.wallets.save(added) }
    let names = try store.wallets.fetch().map { "\($0.name) (\($0.kind), \($0.chainFamily))" }
    return names.joined(separator: "\n") + "\n\(try store.transactions.count()) transactions, "
      + "\(try store.keyShareDescriptors.count()) key shares of one key described"
  }

  private func compare(_ stage: DemoStage) throws -> String {
    let old = try fingerprint(stage, .old)
    let new = try fingerprint(stage, .new)
    var lines: [String] = []
    for section in Section.allCases {
      let (a, b) = (old.sections[section], new.sections[section])
      guard a != nil || b != nil else { continue }
      guard a == b else { throw Failure(.differs, "\(section.name) differs after the restore") }
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

/// Two machines in one directory: each with a home of its own, and a folder of backups between them.
final class DemoStage {
  /// One of the two machines.
  enum Machine: String {
    case old = "old-machine"
    case new = "new-machine"
  }

  /// Less than a real keychain's, so that the demonstration does not wait for its own derivations.
  static let cost = Argon2id.Cost(memoryKiB: 64 << 10, passes: 2)

  private let root: String
  private let keeps: Bool
  private var isDone = false

  /// - Parameter keep: where to leave everything; nil for a temporary directory.
  /// - Throws: ``Failure`` where `keep` is not empty, and what making directories and passphrases throws.
  init(keep: String?) throws {
    keeps = keep != nil
    if let keep {
      try Directory.makePrivateDirectories(keep)
      guard try Directory.open(keep).list().isEmpty else {
        throw Failure(
          .wouldOverwrite, "\(keep) is not empty",
          meaning: "nothing was made, and what is there was not touched",
          hint: "name a folder that does not exist yet")
      }
      // The two machines' homes are handed to processes, and the XDG specification ignores relative paths.
      root = keep.hasPrefix("/") ? keep : "\(Environment.get("PWD") ?? ".")/\(keep)"
    } else {
      let temporary = Environment.get("TMPDIR") ?? "/tmp"
      root = "\(temporary)/fueki-demo-\(Hex.encode(RandomBytes.bytes(8)))"
      try Directory.makePrivateDirectories(root)
    }
    for machine in [Machine.old, .new] { try Directory.makePrivateDirectories(home(machine)) }
    try Directory.makePrivateDirectories(target)
    for name in ["passphrase", Machine.old.rawValue + ".key", Machine.new.rawValue + ".key"] {
      try writePassphrase(name)
    }
  }

  deinit { remove() }

  var target: String { "\(root)/backups" }

  func dataDirectory(_ machine: Machine) -> String { "\(home(machine))/data/fueki" }

  var archiveSecret: [String] { ["--passphrase-from", "file:\(root)/passphrase"] }

  func keychainSecret(_ machine: Machine) -> [String] {
    ["--keychain-passphrase-from", "file:\(root)/\(machine.rawValue).key"]
  }

  func keychainPassphrase(_ machine: Machine) throws -> SharedSecret {
    let file = try File.open("\(root)/\(machine.rawValue).key")
    let size = Int(try file.size())
    return SharedSecret(try SecretBytes(count: size) { buffer in _ = try file.pread(into: &buffer, at: 0) })
  }

  /// Runs this program as a user of that machine would, and returns its output.
  func run(on machine: Machine, _ arguments: [String]) throws -> String {
    let outputPath = "\(root)/output"
    let folder = try Directory.open(root)
    if try folder.contains("output") { try folder.remove("output") }
    let result = try runCapturing(machine, arguments, in: folder)
    let text = try TextFile.text(at: outputPath)
    if result == .exited(ExitStatus.resyncIncomplete.rawValue) {
      throw Failure(
        .resyncIncomplete, "the node was asked, but did not answer everything",
        meaning: text.split(separator: "\n").joined(separator: "; "))
    }
    guard result == .exited(0) else {
      throw Failure(.differs, "\(arguments[0]) \(result.sentence)\n\(text)")
    }
    return text.replacing("\(root)/", with: "")
  }

  private func runCapturing(
    _ machine: Machine, _ arguments: [String], in folder: borrowing Directory
  ) throws -> ChildEnding {
    let home = home(machine)
    let file = try folder.createFile("output")
    var command = ChildCommand(
      executable: CurrentProcess.executable, arguments: ["fueki-backup"] + arguments,
      environment: [
        "HOME=\(home)", "XDG_DATA_HOME=\(home)/data", "XDG_STATE_HOME=\(home)/state",
        "XDG_CONFIG_HOME=\(home)/config", "PATH=/usr/bin:/bin",
      ].map { [UInt8]($0.utf8) })
    command.streams = (0, file.descriptor, 2)
    return try StartedChild(command).wait()
  }

  /// Ends the demonstration.
  ///
  /// - Returns: where everything is, if it was to be kept.
  func finish() -> String? {
    isDone = true
    guard !keeps else { return root }
    remove()
    return nil
  }

  private func home(_ machine: Machine) -> String { "\(root)/\(machine.rawValue)" }

  private func writePassphrase(_ name: String) throws {
    let made = try Passphrase.generated()
    let file = try Directory.open(root).createFile(name)
    try made.bytes.withBytes { bytes in try file.pwriteAll(bytes, at: 0) }
  }

  /// A demonstration that failed half-way, or was not to be kept, leaves nothing.
  private func remove() {
    guard !keeps else { return }
    let parts = PathParts(root)
    try? Directory.open(parts.folder).removeTree(parts.name)
  }
}

/// A node for the demonstration's last step, and the wallet to refresh from it.
struct DemoNode {
  /// The wallet's name.
  static let walletName = "Coins on the node"
  /// How old the archive is to be, in blocks: as far back as nodes that are not archives remember.
  private static let age: UInt64 = 100
  /// An account without an owner, for a node that has no accounts.
  private static let nobody = EVMAddress(bytes: [UInt8](repeating: 0, count: 18) + [0xF0, 0xEC])

  private let url: String
  private let snapshot: AccountSnapshot

  /// Identifies the node.
  ///
  /// No request uses its keys.
  ///
  /// - Throws: ``Failure`` if it does not answer like an Ethereum node.
  init(_ url: String) throws {
    self.url = url
    let attempt = try AsyncWork.run { () async -> Result<AccountSnapshot, SyncError> in
      guard let nobody = Self.nobody else { return .failure(.nothingToAsk) }
      do throws(SyncError) {
        let client = ServerClient(transport: CurlTransport(), tries: 2)
        return .success(
          try await .taken(Connection(client, url: url), before: Self.age, otherwise: nobody))
      } catch {
        return .failure(error)
      }
    }
    switch attempt {
    case .success(let snapshot): self.snapshot = snapshot
    case .failure(let error):
      throw Failure(
        .failed, "the node at \(HTTPRequest(.get, url).server): \(error.sentence)",
        meaning: "nothing was made", hint: "--node takes the URL of an Ethereum node's JSON-RPC")
    }
  }

  /// A description for display.
  var sentence: String {
    "chain \(snapshot.chainID), block \(snapshot.height). Asked about \(snapshot.address)\n"
      + "which had \(snapshot.balance) at block \(snapshot.point.height)"
  }

  /// The wallet as an archive of some time ago would have it.
  var wallet: Wallet {
    var wallet = Wallet()
    wallet.id = PackedText.pack("F0EC1DE0-0000-4000-8000-00000000D300")
    wallet.name = Self.walletName
    wallet.kind = WalletKind.watchOnly.rawValue
    wallet.chainFamily = "evm"
    wallet.chainID = snapshot.chainID
    wallet.genesisHash = PackedText.pack(snapshot.genesis)
    wallet.address = PackedText.pack(snapshot.address)
    wallet.balance = snapshot.balance
    wallet.nonce = snapshot.nonce
    wallet.birthday = snapshot.point
    wallet.lastSynced = snapshot.point
    var endpoint = Endpoint()
    endpoint.kind = "ethereum-rpc"
    endpoint.url = url
    wallet.endpoints = [endpoint]
    return wallet
  }
}
