internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `verify`: whether archives are as they were written, in CI with no secret.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check archives: structure, every byte, or with a secret every record.",
    discussion: "The exit status is that of the worst archive; see fueki-backup-verify(1).")

  @Argument(help: ArgumentHelp("Archives, or folders of them.", valueName: "archive"))
  var archives: [String]
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("structure, checksums or contents.", valueName: "depth"))
  var depth = DepthArgument.checksums
  @Option(
    help: ArgumentHelp(
      "An Ed25519 public key in hex that must have signed; may be given again.", valueName: "key"))
  var trustedSigner: [String] = []
  @Option(
    help: ArgumentHelp("The newest archive known of a vault, VAULT:SEQUENCE:DIGEST.", valueName: "known"))
  var known: [String] = []
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    var verification = Verification(depth: depth.depth, trusted: try trustedKeys())
    if depth == .contents { verification.secrets = try secrets.unlocking(console) }
    let given = try KnownLinks(known)
    let state = try? Places.state()
    let subjects = try subjects(targets.targets(try settings.load()))
    guard !subjects.isEmpty else { throw BackupError.noArchive(name: archives.joined(separator: ", ")) }
    let progress = output.progressLine
    var results: [VerificationResult] = []
    for (path, subject) in subjects {
      let result = try verification.run(on: path) { vault in
        switch subject {
        case .named: given.link(of: vault)
        case .newestOfFolder: try given.link(of: vault) ?? state?.vault(vault).known
        case .otherOfFolder: nil
        }
      } progress: { _ in
        try progress.show("verifying \(path)")
      }
      progress.clear()
      results.append(result)
      VerifyLines.print(result, console)
    }
    if output.json { Document.write(VerifyDocument(results)) }
    let worst = results.map { ExitStatus($0.verdict) }.filter { $0 != .done }
    guard let first = worst.max(by: { Self.weight($0) < Self.weight($1) }) else { return }
    throw ExitCode(first.rawValue)
  }

  /// How an archive came to be looked at.
  private enum Subject {
    case named
    case newestOfFolder
    case otherOfFolder
  }

  /// The archives to look at.
  ///
  /// Of a folder's, only each vault's newest is compared with what this machine knows: that the others are older is
  /// what a folder of backups is for.
  private func subjects(_ targets: [Target]) throws -> [(path: String, Subject)] {
    try archives.flatMap { name -> [(path: String, Subject)] in
      guard (try? Directory.open(name)) != nil else {
        let path = try ArchiveFinder(targets: targets).path(of: name)
        return [(path, .named)]
      }
      let entries = try Target(path: name).entries()
      var newest: [[UInt8]: UInt64] = [:]
      for case let facts? in entries.map(\.archive?.facts) {
        newest[facts.vaultID] = max(newest[facts.vaultID] ?? 0, facts.sequence)
      }
      return entries.map { entry in
        let isNewest = entry.archive.map { newest[$0.facts.vaultID] == $0.facts.sequence } ?? false
        return (entry.path, isNewest ? .newestOfFolder : .otherOfFolder)
      }
    }
  }

  private func trustedKeys() throws -> [[UInt8]]? {
    guard !trustedSigner.isEmpty else { return nil }
    return try trustedSigner.map { text in
      guard let key = Hex.decode(text), key.count == 32 else {
        throw CommandError.usage("--trusted-signer takes 64 hex digits, not \(text)")
      }
      return key
    }
  }

  /// What was made on purpose weighs more than what broke.
  private static func weight(_ status: ExitStatus) -> Int {
    let order: [ExitStatus] = [
      .failed, .notAnArchive, .incomplete, .older, .tooNew, .overLimit, .wrongSecret, .damaged, .untrusted,
      .forked,
      .forged,
    ]
    return order.firstIndex(of: status) ?? 0
  }
}

/// A depth as people type it.
enum DepthArgument: String, CaseIterable, ExpressibleByArgument {
  case structure
  case checksums
  case contents

  var depth: VerificationDepth {
    switch self {
    case .structure: .structure
    case .checksums: .checksums
    case .contents: .contents
    }
  }
}

/// What `--known` says of vaults.
struct KnownLinks {
  private var links: [[UInt8]: VaultState.Link] = [:]

  init(_ texts: [String]) throws {
    for text in texts {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, let vault = Hex.decode(parts[0]), vault.count == 16,
        let sequence = UInt64(parts[1]),
        let digest = Digest(hex: String(parts[2]))
      else { throw CommandError.usage("--known takes VAULT:SEQUENCE:DIGEST, not \(text)") }
      links[vault] = VaultState.Link(sequence: sequence, digest: digest)
    }
  }

  func link(of vault: [UInt8]) -> VaultState.Link? { links[vault] }
}

/// A verification's result as lines.
enum VerifyLines {
  static func print(_ result: VerificationResult, _ console: Console) {
    let name = result.path.split(separator: "/").last.map(String.init) ?? result.path
    console.line("\(result.verdict.rawValue): \(name) (\(result.depth.rawValue))")
    for damage in result.damage.prefix(50) { console.line("  damaged: \(damage.sentence)") }
    if result.damage.count > 50 { console.line("  and \(result.damage.count - 50) more") }
    guard result.verdict != .intact else { return }
    if let error = result.error {
      let failure = Failure(error)
      console.line("  \(failure.message)")
      if let meaning = failure.meaning { console.line("  \(meaning)") }
      if let hint = failure.hint { console.line("  hint: \(hint)") }
    } else if result.verdict == .damaged {
      let copiesOnly = result.damage.allSatisfy(\.isOfACopy)
      console.line(
        copiesOnly
          ? "  only copies are damaged: the archive still opens; make a new one soon"
          : "  try another copy of this archive, or the one before it; restore --salvage brings back what is whole"
      )
    } else {
      console.line("  this machine knows a newer or another archive of the vault")
    }
  }
}

extension ArchiveError.Damage {
  /// Whether the archive still opens in spite of it.
  var isOfACopy: Bool {
    switch self {
    case .firstHeader, .headerCopy, .firstTrailer, .trailerCopy: true
    default: false
    }
  }
}

/// `verify --json`.
struct VerifyDocument: Encodable {
  struct Damage: Encodable {
    let what: String
    let stream: String?
    let chunk: UInt64?
    let offset: UInt64?
    let section: String?
  }

  struct Archive: Encodable {
    let path: String
    let id: String?
    let depth: String
    let verdict: String
    let signer: String?
    let damage: [Damage]
    let scopes: [String]
  }

  let schema = "fueki.verify/1"
  let archives: [Archive]
  let ok: Bool

  init(_ results: [VerificationResult]) {
    archives = results.map { result in
      Archive(
        path: result.path, id: result.digest?.hex, depth: result.depth.rawValue,
        verdict: result.verdict.rawValue,
        signer: result.facts?.signer.map { Hex.encode($0) }, damage: result.damage.map(Damage.init),
        scopes: result.openedScopes.map(\.name))
    }
    ok = results.allSatisfy { $0.verdict == .intact }
  }
}

extension VerifyDocument.Damage {
  fileprivate init(_ damage: ArchiveError.Damage) {
    what = damage.sentence
    section = nil
    switch damage {
    case .chunk(let stream, let chunk), .leaf(let stream, let chunk):
      self.stream = stream.name
      self.chunk = chunk
      offset = chunk * UInt64(Limits.chunkPlaintextBytes)
    default:
      stream = nil
      chunk = nil
      offset = nil
    }
  }
}
