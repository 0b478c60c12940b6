internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Asks the user for an archive's secrets: only those that its slots need, by their names.
struct UnlockingQuestion {
  let stored: StoredArchive
  let names: SlotNames
  let options: ArchiveSecretOptions
  /// Whether further files can still be read; false in a sandbox.
  var readsFiles = true
  /// Whether every byte of the archive was found as it was written.
  var isVerified = false
  let console: Console

  /// A kind of secret that the user may have.
  private enum Way: Hashable {
    case passphrase
    case passphraseAndKeyFile
    case identity
    case guardians(SlotSummary.Guardians)
  }

  /// - Returns: what opens the archive, or after three tries what does not.
  func ask(besides given: UnlockingSecrets) throws -> UnlockingSecrets {
    guard Terminal.isAvailable else { throw CommandError.noSecret(missing) }
    guard let way = try way(given) else {
      var secrets = given
      secrets.passphrases = try options.passphrase.source.read(console).all
      return secrets
    }
    var secrets = given
    switch way {
    case .passphrase, .passphraseAndKeyFile:
      if way == .passphraseAndKeyFile, secrets.keyFiles.isEmpty {
        let file = try Asking.file("the key file", take: SecretSource.keyFile)
        secrets.keyFiles.append(file)
        Replay.note("--key-file", "FILE")
      }
      let source = options.passphrase.source
      let reassurance = isVerified ? "The archive is undamaged" : nil
      let passphrase = try source.read(console, reassurance: reassurance) { typed in
        var tried = secrets
        tried.passphrases = [typed]
        return try stored.opens(with: tried)
      }
      secrets.passphrases = passphrase.all
      Replay.note("--passphrase-from", "file:FILE")
    case .identity where !readsFiles:
      let keys = try askIdentity(besides: given)
      secrets.identities += keys
    case .identity:
      let known = secrets
      secrets = try Asking.file("the age identity's file") { path in
        var tried = known
        try IdentityFile.add(path, to: &tried)
        guard try stored.opens(with: tried) else {
          throw Failure(.wrongSecret, "none of its identities opens the archive")
        }
        Replay.note("--identity", path)
        return tried
      }
    case .guardians(let guardians):
      secrets.guardianShares += try GuardianWords(guardians: guardians, vaultID: stored.facts.vaultID).ask()
      Replay.note("--guardian-shares")
      for _ in 0..<guardians.threshold { Replay.note("FILE") }
    }
    return secrets
  }

  private var takesPassphrase: Bool {
    stored.slots.contains { $0.type == .passphrase || $0.type == .passphraseAndKeyFile }
  }

  /// The secret that a machine without a terminal lacks.
  private var missing: CommandError.Secret {
    if takesPassphrase { return .archive }
    return stored.slots.allSatisfy { $0.guardians != nil } ? .shares : .identity
  }

  /// Asks for the identity itself: no file can be read any more that was not named.
  private func askIdentity(besides given: UnlockingSecrets) throws -> [AgeIdentity] {
    try Asking.repeatedly { complaint in
      var typed = try SecretBytes(count: Self.identityByteCount)
      let prompt = Asking.prompt(
        "the age identity, its line AGE-SECRET-KEY-…, which is not shown:", after: complaint)
      let count = try typed.withMutableBytes { try Terminal.readSecret(prompt: prompt, into: &$0) }
      guard let count, count > 0 else { throw CommandError.noSecret(.identity) }
      let keys: [AgeIdentity]
      do {
        keys = try AgeKey.identities(in: try typed.copy(0..<count)).keys
      } catch let error as AgeKeyError {
        throw Failure(.wrongSecret, "this is no age identity: \(error.sentence)")
      }
      var tried = given
      tried.identities += keys
      guard try stored.opens(with: tried) else {
        throw Failure(.wrongSecret, "this identity does not open the archive")
      }
      return keys
    }
  }

  /// Asks for the kind of secret, only if the archive opens with more than one kind.
  private func way(_ given: UnlockingSecrets) throws -> Way? {
    var ways: [(way: Way, label: String)] = []
    for slot in stored.slots {
      guard let way = way(of: slot), !ways.contains(where: { $0.way == way }) else { continue }
      let name = names[slot.number, of: stored.slots.count].map { " (\($0))" } ?? ""
      ways.append((way, (slot.type.advice?.opener ?? slot.type.name) + name))
    }
    guard ways.count > 1 else { return ways.first?.way }
    let lines = ways.enumerated().map { "  \($0.offset + 1)  \($0.element.label)" }
    Asking.say(["This archive opens with any of these:"] + lines)
    return ways[try Asking.choice(of: ways.count, "which do you have")].way
  }

  private static let identityByteCount = 8192

  private func way(of slot: SlotSummary) -> Way? {
    if let guardians = slot.guardians { return .guardians(guardians) }
    switch slot.type {
    case .passphrase: return .passphrase
    case .passphraseAndKeyFile:
      return readsFiles || options.passphrase.keyFile != nil ? .passphraseAndKeyFile : nil
    default: return slot.type.isKnown && (readsFiles || !takesPassphrase) ? .identity : nil
    }
  }
}

extension ArchiveSecretOptions {
  /// Returns all given secrets, or else asks for one, and again if it does not open the archive.
  func unlocking(
    _ stored: StoredArchive, _ names: SlotNames = .none, readsFiles: Bool = true, isVerified: Bool = false,
    _ console: Console
  ) throws -> UnlockingSecrets {
    if let given = try unlockingWithoutAsking(console) { return given }
    let keyFiles = UnlockingSecrets(keyFiles: try passphrase.keyFiles())
    return try UnlockingQuestion(
      stored: stored, names: names, options: self, readsFiles: readsFiles, isVerified: isVerified,
      console: console
    ).ask(besides: keyFiles)
  }
}
