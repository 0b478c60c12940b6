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

/// Reads guardians' words one by one: checks each word as it is typed, and the whole share at its end.
///
/// The terminal does not show them, because they could end up in a screenshot or in the scroll-back.
struct GuardianWords {
  let guardians: SlotSummary.Guardians
  let vaultID: VaultID

  /// As many words as a share of an age key has.
  private static let wordCount = ShareWord.count(secretByteCount: 32)
  /// Longer than any line of words.
  private static let lineLimit = 1024

  /// All shares that are needed.
  func ask() throws -> [SharedSecret] {
    Asking.say([
      "Any \(guardians.threshold) of \(guardians.shareTags.count) guardians open it. "
        + "Type the words of one sheet after the other, \(Self.wordCount) words each.",
      "Type one word or several on a line. The first four letters of a word are enough. Your typing is not shown.",
    ])
    var shares: [SharedSecret] = []
    var members: Set<Int> = []
    while shares.count < guardians.threshold {
      let place = shares.count + 1
      let share = try Asking.repeatedly { complaint in
        Asking.say(shown: complaint)
        let words = try askShare("sheet \(place) of \(guardians.threshold)")
        try check(words, members)
        return words
      }
      members.insert(try member(share))
      shares.append(share)
      Asking.say(["Sheet \(place) is right."])
    }
    return shares
  }

  /// The words of one sheet.
  private func askShare(_ sheet: String) throws -> SharedSecret {
    var words: [WrittenWord] = []
    while words.count < Self.wordCount {
      words += try Asking.repeatedly { complaint in
        try askWords(
          complaint + "\(sheet), word \(words.count + 1) of \(Self.wordCount): ",
          atMost: Self.wordCount - words.count)
      }
    }
    return try corrected(WrittenWord.joined(words))
  }

  /// Returns the words with one corrected, if the checksum identifies it and the user agrees.
  private func corrected(_ words: SharedSecret) throws -> SharedSecret {
    let wrong: WrongWord?
    do throws(SLIP39Error) {
      wrong = try WrongWord.find(in: words.bytes)
    } catch {
      return words
    }
    guard let wrong else { return words }
    let question = "word \(wrong.place) seems to be wrong. Does the sheet have \"\(wrong.word)\" there"
    guard try Asking.yes(question, default: true) else { return words }
    return try wrong.corrected(words.bytes)
  }

  /// Asks for one line of words from the word list.
  private func askWords(_ prompt: String, atMost most: Int) throws -> [WrittenWord] {
    var typed = try SecretBytes(count: Self.lineLimit)
    let length = try typed.withMutableBytes { try Terminal.readSecret(prompt: prompt, into: &$0) }
    guard let length else { throw CommandError.noSecret(.archive) }
    let words = WrittenWord.all(in: SharedSecret(try typed.copy(0..<length)))
    for (index, word) in words.enumerated() where try !word.isInList() {
      throw Self.unknown(word, place: index + 1)
    }
    guard !words.isEmpty else { throw Failure(.usage, "no word was typed") }
    guard words.count <= most else {
      throw Failure(.usage, "a sheet has \(Self.wordCount) words. You typed more")
    }
    return words
  }

  private static func unknown(_ word: WrittenWord, place: Int) -> Failure {
    let near = word.suggestions
    let what = place == 1 ? "this word is" : "word \(place) of the line is"
    return Failure(
      .usage,
      "\(what) not in the list" + (near.isEmpty ? "" : ". Did you mean \(near.joined(separator: " or "))?"))
  }

  /// - Throws: a ``Failure`` if the words are no share of these guardians, or repeat an earlier one.
  private func check(_ words: SharedSecret, _ members: Set<Int>) throws {
    let share: SLIP39Share
    do throws(SLIP39Error) {
      share = try SLIP39Share(words: words.bytes)
    } catch {
      throw Failure(.usage, "these words are not one whole sheet: \(error.sentence)")
    }
    let tag = GuardianSet.shareTag(of: try share.words().bytes, vaultID: vaultID)
    guard share.identifier == guardians.identifier, share.memberThreshold == guardians.threshold,
      guardians.shareTags.indices.contains(share.memberIndex), tag == guardians.shareTags[share.memberIndex]
    else {
      throw Failure(.usage, "this sheet is whole, but it belongs to other guardians or to another vault")
    }
    guard !members.contains(share.memberIndex) else {
      throw Failure(.usage, "this sheet was typed before. Another guardian's is needed")
    }
  }

  private func member(_ words: SharedSecret) throws -> Int {
    do throws(SLIP39Error) {
      return try SLIP39Share(words: words.bytes).memberIndex
    } catch {
      throw Failure(.usage, "these words are not one whole sheet: \(error.sentence)")
    }
  }
}
