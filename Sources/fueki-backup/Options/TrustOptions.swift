internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The options for trusted signers and known archives.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Demand a signature by one of these: a key, a file of keys, \"config\", or \"any\". May be repeated.",
      valueName: "key", visibility: .more), completion: .file())
  var trustedSigner: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file of signed checkpoints. Archives older than theirs are refused. May be repeated.",
      valueName: "file", visibility: .more), completion: .file())
  var checkpoint: [String] = []

  /// Whether the user accepts an archive of any signer.
  var takesAny: Bool { trustedSigner == ["any"] }

  /// The keys that the user typed, and that no file or configuration names.
  var typedSigners: Set<Ed25519.PublicKey> {
    Set(trustedSigner.flatMap { (try? SignerList.signers(in: $0)) ?? [] }.map(\.publicKey))
  }

  /// Returns the keys of which the option requires a signature; nil if it requires none.
  ///
  /// A requirement for a run that checks no signature is refused.
  func demanded(
    _ configuration: Configuration, checksSignatures: Bool = true
  ) throws -> Set<Ed25519.PublicKey>? {
    guard !trustedSigner.isEmpty, !takesAny else { return nil }
    guard checksSignatures else {
      throw CommandError.usage("--depth structure checks no signature: leave out --trusted-signer")
    }
    return Set(try trustedSigner.flatMap { try Self.signers($0, configuration) }.map(\.publicKey))
  }

  /// Returns the trusted signers: the option's, the configuration's, and this machine's.
  func trust(_ configuration: Configuration) throws -> Trust {
    var trust = try Self.trust(configuration)
    trust.everywhere.formUnion(try demanded(configuration) ?? [])
    return trust
  }

  /// Returns the trusted signers, unless an option states others.
  static func trust(_ configuration: Configuration) throws -> Trust {
    let remembered = { (try? Places.state())?.vaults() ?? [:] }
    if let settled = configuration.settled {
      return settled.followsState ? settled.trust.remembering(remembered()) : settled.trust
    }
    var trust = Trust(remembered: remembered())
    for vault in configuration.vaults {
      let signers =
        try configured(vault, configuration).map(\.publicKey) + [ownKey(of: vault)].compactMap(\.self)
      guard !signers.isEmpty else { continue }
      if let id = configuration.vaultID(of: vault) {
        trust.configured[id, default: []].formUnion(signers)
      } else {
        // Their vault's id is unknown so far, so they count for every vault.
        trust.everywhere.formUnion(signers)
      }
    }
    return trust
  }

  /// The files that the options may have read.
  func files(_ configuration: Configuration) -> [String] {
    trustedSigner + checkpoint
      + configuration.candidates.compactMap(\.trustedSignersFile)
  }

  /// The public side of the key that signs a vault's archives, where its file can be read.
  private static func ownKey(of vault: VaultSettings) -> Ed25519.PublicKey? {
    vault.signKey.flatMap { try? SigningKeyPlace.read($0).signer.publicKey }
  }

  /// Returns the checkpoints, after checking that a trusted signer of its vault signed each of them.
  func checkpoints(_ trust: Trust) throws -> [SignedCheckpoint] {
    try checkpoint.flatMap { try SignedCheckpoint.all(in: TextFile.text(at: $0)) }.map { found in
      let keys = try trust.of(found.vaultID).signers
      guard !keys.isEmpty else {
        throw CommandError.usage("a checkpoint proves nothing unless a --trusted-signer signed it")
      }
      _ = try found.link(trusting: keys)
      return found
    }
  }

  /// One of an option's values.
  ///
  /// `forms` is the sentence about what the option takes, for any other value.
  static func signers(
    _ text: String, _ configuration: Configuration,
    forms: String =
      "--trusted-signer takes 64 hex digits, a fueki-signer line, a file of such lines, \"config\" or \"any\""
  ) throws -> [Signer] {
    if text == "config" {
      let named = try configured(configuration)
      guard !named.isEmpty else { throw CommandError.usage("the configuration names no trusted signer") }
      return named
    }
    // The contents of a file, as a shell's $(cat FILE) hands them over.
    if let signers = try? SignerList.signers(in: text) { return signers }
    guard (try? File.open(text)) != nil else {
      throw CommandError.usage(forms)
    }
    return try signers(inFile: text)
  }

  static func signers(inFile path: String) throws -> [Signer] {
    let text = try TextFile.publicKeys(at: path)
    do {
      return try SignerList.signers(in: text)
    } catch SignerList.Problem.noSigner(let line) {
      throw CommandError.usage("\(path), line \(line): not a signer's key")
    } catch {
      throw CommandError.usage("\(path) names no signer")
    }
  }

  /// Returns the signers of the selected vault, or of all if none was selected.
  static func configured(_ configuration: Configuration) throws -> [Signer] {
    try configuration.candidates.flatMap { try configured($0, configuration) }
  }

  private static func configured(_ vault: VaultSettings, _ configuration: Configuration) throws -> [Signer] {
    try named(by: vault, file: configuration.path ?? "")
      + (try vault.trustedSignersFile.map(signers(inFile:)) ?? [])
  }

  /// Those that a vault names in the configuration itself.
  static func named(by vault: VaultSettings, file: String) throws -> [Signer] {
    try vault.trustedSigners.flatMap { text in
      guard let signers = try? SignerList.signers(in: text) else {
        throw CommandError.configuration(
          ConfigurationProblem(
            path: file, what: "\"trusted_signers\" has no key in \"\(text)\"",
            hint: "64 hex digits or a fueki-signer line. A file's name belongs in trusted_signers_file"))
      }
      return signers
    }
  }
}

/// The vaults' archives from `--known`.
struct KnownLinks {
  private(set) var links: [VaultID: VaultState.Link] = [:]

  init(_ texts: [String] = []) throws {
    for text in texts {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, let vault = VaultID(hex: parts[0]),
        let sequence = UInt64(parts[1]),
        let digest = Digest(hex: String(parts[2]))
      else { throw CommandError.usage("--known takes VAULT:SEQUENCE:DIGEST, not \(text)") }
      links[vault] = VaultState.Link(sequence: sequence, digest: digest)
    }
  }

  /// - Throws: ``LineageError/forked(sequence:known:)`` where `--known` has another archive in the same place.
  mutating func add(_ checkpoint: SignedCheckpoint) throws {
    let link = VaultState.Link(sequence: checkpoint.sequence, digest: checkpoint.digest)
    links[checkpoint.vaultID] = try VaultState.Link.newer(link, links[checkpoint.vaultID])
  }
}

extension SignerAcceptance {
  /// Asks on the terminal if the archives prove nothing.
  init(secrets: UnlockingSecrets) { self.init(secrets: secrets, asking: Self.asks) }

  /// Asks on the terminal whether a signer is the vault's; false without a terminal.
  static func asks(about signer: Ed25519.PublicKey, of facts: HeaderFacts) throws -> Bool {
    guard Terminal.isAvailable else { return false }
    Asking.say(["archive \(facts.sequence) is signed by \(signer.fingerprint)"])
    let answer = try Terminal.readLine(
      prompt: Asking.prompt(
        "is this the fingerprint on your recovery kit or your other machine? type yes to trust it:"))
    return answer?.lowercased() == "yes"
  }
}
