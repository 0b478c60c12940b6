import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Every type of slot, several in one archive, each with its scopes.
@Suite struct SlotTests {
  private static let cost = Argon2id.Cost(memoryKiB: 65536, passes: 2)

  private func write(_ slots: [NewSlot], in folder: borrowing TemporaryDirectory) throws -> IntactArchive {
    let draft = ArchiveDraft(
      vaultID: Guardians.vaultID, sequence: 1, previous: .zero, created: 1_795_240_800)
    let file = ArchiveFile(try folder.open().createFile("archive"))
    var writer = try ArchiveWriter(to: file, draft: draft, slots: slots, manifestByteCount: 0)
    try writer.write(section: 32) { nil }
    _ = try writer.finish(manifest: [])
    return try #require(try StoredArchive(reading: file).verify().intact)
  }

  @Test func `each type of slot opens its own scopes`() throws {
    let folder = try TemporaryDirectory()
    let guardians = try Guardians(threshold: 2, count: 3)
    let phrase = try secret(normalising: "words")
    let keyFile = SharedSecret(try SecretBytes.random(count: 100))
    let identity = SharedSecret(try SecretBytes.random(count: 32))
    let accountant = SharedSecret(try SecretBytes.random(count: 32))
    let slots: [NewSlot] = [
      .passphrase(phrase, cost: Self.cost, opening: ScopeMask([.profile])),
      .passphrase(phrase, andKeyFile: keyFile, cost: Self.cost, opening: ScopeMask([.profile, .secrets])),
      .recipient(try X25519.publicKey(of: identity.bytes)),
      .recipient(try X25519.publicKey(of: accountant.bytes), opening: ScopeMask([.history])),
      .guardians(guardians.set, opening: ScopeMask([.history, .secrets])),
    ]
    let intact = try write(slots, in: folder)
    #expect(
      intact.source.slots.map(\.type) == [
        .passphrase, .passphraseAndKeyFile, .x25519, .x25519, .guardians,
      ])
    #expect(intact.source.slots.map(\.mask.rawValue) == [1, 5, 7, 2, 6])
    #expect(intact.source.slots[4].guardians?.threshold == 2)
    func opened(_ secrets: UnlockingSecrets) throws -> [Int] {
      let archive = try intact.unlock(with: secrets)
      let masks = archive.openedSlots.map { slots[$0 - 1].mask.rawValue }
      #expect(ScopeMask(archive.scopes).rawValue == masks.reduce(0, |))
      return archive.openedSlots
    }
    #expect(try opened(UnlockingSecrets(passphrases: [phrase])) == [1])
    #expect(try opened(UnlockingSecrets(passphrases: [phrase], keyFiles: [keyFile])) == [1, 2])
    #expect(try opened(UnlockingSecrets(identities: [.x25519(identity)])) == [3])
    #expect(try opened(UnlockingSecrets(identities: [.x25519(accountant)])) == [4])
    #expect(try opened(UnlockingSecrets(guardianShares: [guardians.words[2], guardians.words[0]])) == [5])
    #expect(
      try opened(
        UnlockingSecrets(
          identities: [.x25519(accountant), .x25519(identity)], guardianShares: guardians.words)) == [
          3, 4, 5,
        ])
    let other = SharedSecret(try SecretBytes.random(count: 32))
    for secrets in [
      UnlockingSecrets(identities: [.x25519(other)]), UnlockingSecrets(keyFiles: [keyFile]),
      UnlockingSecrets(),
    ] {
      #expect(throws: ArchiveError.wrongSecret) { _ = try intact.unlock(with: secrets) }
    }
  }

  @Test func `hybrid slots open with their own kind of key alone`() throws {
    let folder = try TemporaryDirectory()
    let seed = SharedSecret(try SecretBytes.random(count: 32))
    let guardians = try Guardians(threshold: 2, count: 3)
    let hybrid = try Guardians(threshold: 2, count: 3, identifier: 77, form: .hybrid)
    let slots: [NewSlot] = [
      .recipient(try X25519.publicKey(of: seed.bytes)), .guardians(guardians.set),
      .hybrid(try XWing.publicKey(of: seed.bytes)), .guardians(hybrid.set),
    ]
    let intact = try write(slots, in: folder)
    let summaries = intact.source.slots
    #expect(summaries.map(\.type) == [.x25519, .guardians, .hybrid, .hybridGuardians])
    #expect(summaries.map(\.isForTheLongTerm) == [false, false, true, true])
    func opened(_ secrets: UnlockingSecrets) throws -> [Int] {
      let open = try intact.unlock(with: secrets)
      // A secret that opened a slot can get another one.
      let again = open.openedSlots.compactMap { open.newSlot(like: $0)?.type }
      #expect(again == open.openedSlots.map { summaries[$0 - 1].type })
      return open.openedSlots
    }
    #expect(try opened(UnlockingSecrets(identities: [.x25519(seed)])) == [1])
    #expect(try opened(UnlockingSecrets(identities: [AgeIdentity(.hybrid, seed)])) == [3])
    #expect(try opened(UnlockingSecrets(guardianShares: guardians.words)) == [2])
    #expect(try opened(UnlockingSecrets(guardianShares: Array(hybrid.words.prefix(2)))) == [4])
    #expect(try opened(UnlockingSecrets(guardianShares: guardians.words + hybrid.words)) == [2, 4])
    // If there are several slots, the share's own one reports how many are missing.
    for (words, slot) in [(guardians.words[0], 2), (hybrid.words[0], 4)] {
      do {
        _ = try intact.unlock(with: UnlockingSecrets(guardianShares: [words]))
        Issue.record("one share of two opened the archive")
      } catch {
        guard case .tooFewShares(let shortfall) = error else { throw error }
        #expect(shortfall.slot == slot && shortfall.missing == 1)
      }
    }
  }

  @Test func `an archive of symmetric and hybrid slots is sealed for the long term`() throws {
    let folder = try TemporaryDirectory()
    let seed = try SecretBytes.random(count: 32)
    let slots: [NewSlot] = [
      .passphrase(try secret(normalising: "words"), cost: Self.cost), .hybrid(try XWing.publicKey(of: seed)),
    ]
    let stored = try write(slots, in: folder).source
    #expect(stored.slots.map(\.type) == [.passphrase, .hybrid])
    #expect(stored.slots.map(\.isForTheLongTerm) == [true, true])
  }

  @Test func `a recipient of either kind is read as age writes it, unless it shares no secret`()
    throws
  {
    let seed = try SecretBytes.random(count: 32)
    for (form, type) in [(.x25519, .x25519), (.hybrid, .hybrid)] as [(AgeKeyForm, SlotType)] {
      let text = AgeKey.text(recipient: try form.publicKey(of: seed), form)
      let recipient = try RecipientText.read(text)
      #expect(recipient.type == type && recipient.text == text)
      let zeros = AgeKey.text(recipient: [UInt8](repeating: 0, count: form.recipientByteCount), form)
      #expect(throws: CryptoError.invalidPoint) { _ = try RecipientText.read(zeros) }
    }
  }

  @Test(arguments: [0, 31, 33])
  func `an identity of a wrong length opens nothing, and stops nothing else`(_ length: Int) throws {
    let folder = try TemporaryDirectory()
    let guardians = try Guardians(threshold: 2, count: 2)
    let identity = SharedSecret(try SecretBytes.random(count: 32))
    let intact = try write(
      [.recipient(try X25519.publicKey(of: identity.bytes)), .guardians(guardians.set)], in: folder)
    let wrong = SharedSecret(try SecretBytes.random(count: length))
    #expect(throws: ArchiveError.wrongSecret) {
      _ = try intact.unlock(with: UnlockingSecrets(identities: [.x25519(wrong)]))
    }
    #expect(
      try intact.unlock(with: UnlockingSecrets(identities: [.x25519(wrong), .x25519(identity)])).openedSlots
        == [1])
  }

  @Test func `a slot like the opened one is opened by the same secret, in another archive`() throws {
    let folder = try TemporaryDirectory()
    let next = try TemporaryDirectory()
    let guardians = try Guardians(threshold: 3, count: 3)
    let identity = SharedSecret(try SecretBytes.random(count: 32))
    let phrase = try secret(normalising: "words")
    let keyFile = SharedSecret(try SecretBytes.random(count: 64))
    let secrets = UnlockingSecrets(
      passphrases: [phrase], keyFiles: [keyFile], identities: [.x25519(identity)],
      guardianShares: guardians.words)
    let first = try write(
      [
        .passphrase(phrase, cost: Self.cost), .passphrase(phrase, andKeyFile: keyFile, cost: Self.cost),
        .recipient(try X25519.publicKey(of: identity.bytes), opening: ScopeMask([.history])),
        .guardians(guardians.set),
      ], in: folder
    ).unlock(with: secrets)
    #expect(first.newSlot(like: 5) == nil)
    let again = try (1...4).map { try #require(first.newSlot(like: $0)) }
    let second = try write(again, in: next).unlock(with: secrets)
    #expect(second.openedSlots == [1, 2, 3, 4])
    #expect(second.source.source.slots.map(\.mask) == first.source.source.slots.map(\.mask))
    #expect(second.source.source.slots.map(\.cost) == first.source.source.slots.map(\.cost))
  }

  @Test func `bad shares are named, and how many more are needed`() throws {
    let folder = try TemporaryDirectory()
    let guardians = try Guardians(threshold: 3, count: 4)
    let strangers = try Guardians(threshold: 2, count: 2)
    let intact = try write([.guardians(guardians.set)], in: folder)
    let mistyped = try words(Array("academic acid acrobat".utf8))
    let given = [guardians.words[1], strangers.words[0], guardians.words[1], mistyped, guardians.words[3]]
    do {
      _ = try intact.unlock(with: UnlockingSecrets(guardianShares: given))
      Issue.record("two good shares of three opened the archive")
    } catch {
      guard case .tooFewShares(let shortfall) = error else { throw error }
      #expect(error.verdict == .wrongSecret)
      #expect(shortfall.members == [2, 4])
      #expect(shortfall.missing == 1)
      #expect(shortfall.problems.map(\.place) == [2, 3, 4])
      #expect(shortfall.problems.prefix(2).map(\.fault) == [.foreign, .doubled(member: 2)])
      guard case .notAShare = shortfall.problems[2].fault else { throw error }
    }
    // If there are enough valid ones, invalid ones do not matter.
    let enough = given + [guardians.words[0]]
    #expect(try intact.unlock(with: UnlockingSecrets(guardianShares: enough)).openedSlots == [1])
  }

  @Test func `shares whose tags hold and that do not combine are forged`() throws {
    let folder = try TemporaryDirectory()
    // Two halves of different secrets with one identifier: each a valid share with its correct tag.
    let first = try Guardians(threshold: 2, count: 2, identifier: 77)
    let second = try Guardians(threshold: 2, count: 2, identifier: 77)
    let set = try #require(
      GuardianSet(
        publicKey: first.set.publicKey, threshold: 2, identifier: 77,
        shareTags: [first.set.shareTags[0], second.set.shareTags[1]]))
    let intact = try write([.guardians(set)], in: folder)
    let secrets = UnlockingSecrets(guardianShares: [first.words[0], second.words[1]])
    #expect(throws: ArchiveError.forged(.slot(1))) { _ = try intact.unlock(with: secrets) }
  }

  @Test func `an archive that no key opens whole is not written`() throws {
    let folder = try TemporaryDirectory()
    let identity = try SecretBytes.random(count: 32)
    let recipient = try X25519.publicKey(of: identity)
    #expect(throws: BundleError.closedScopes([.profile, .secrets])) {
      _ = try write([.recipient(recipient, opening: ScopeMask([.history]))], in: folder)
    }
  }

  @Test func `a recipient of small order is refused`() throws {
    let folder = try TemporaryDirectory()
    for key in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)] {
      #expect(throws: CryptoError.invalidPoint) { _ = try write([.recipient(key)], in: folder) }
      try folder.open().remove("archive")
    }
  }

  @Test func `the guardians' line is read as it is written, and nothing else is`() throws {
    let set = try Guardians(threshold: 2, count: 3).set
    #expect(GuardianSet(line: set.line) == set)
    for line in [
      "", "fueki-guardians-2" + set.line.dropFirst(17), set.line + ",", set.line + " x",
      set.line.replacing(" 2 ", with: " 1 "), set.line.replacing(" 2 ", with: " 4 "),
      set.line.replacing("age1", with: "age2"), String(set.line.dropLast()),
    ] {
      #expect(GuardianSet(line: String(line)) == nil, "\(line)")
    }
  }
}

/// Guardians for a test.
struct Guardians {
  static let vaultID = VaultID(words: (0x0707_0707_0707_0707, 0x0707_0707_0707_0707))
  let set: GuardianSet
  let words: [SharedSecret]

  init(threshold: Int, count: Int, identifier: UInt16 = 4242, form: AgeKeyForm = .x25519) throws {
    let key = try SecretBytes.random(count: 32)
    let shares = try SLIP39.split(key, threshold: threshold, count: count, identifier: identifier) {
      (count) throws(CryptoError) in SharedSecret(try SecretBytes.random(count: count))
    }
    words = try shares.map { try $0.words() }
    let tags = words.map { GuardianSet.shareTag(of: $0.bytes, vaultID: Self.vaultID) }
    set = try #require(
      GuardianSet(
        publicKey: try form.publicKey(of: key), threshold: threshold, identifier: identifier,
        shareTags: tags))
  }
}

private func words(_ bytes: [UInt8]) throws -> SharedSecret {
  SharedSecret(try SecretBytes(copying: bytes.span))
}
