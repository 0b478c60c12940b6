import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import Testing

/// The judgement on expected vaults, of values alone.
@Suite struct ExpectedVaultsTests {
  private static let now: Int64 = 1_800_000_000
  private static let day: Int64 = 86_400
  private static let vault = VaultID(words: (1, 2))
  private static let place: ExactText = "/backups/alice"

  private static func key(_ byte: UInt8) throws -> Ed25519.PublicKey {
    let bytes = [UInt8](repeating: byte, count: 32)
    return try SigningKey(seed: SharedSecret(try SecretBytes(copying: bytes.span))).publicKey
  }

  private static func digest(_ text: String) -> Digest { SHA256.hash(Array(text.utf8)) }

  /// An archive of the vault that follows the one before it.
  private static func archive(
    _ sequence: UInt64, daysOld: Int64 = 0, signer: Ed25519.PublicKey? = nil
  ) -> SightedArchive {
    SightedArchive(
      vault: vault, sequence: sequence, digest: digest("\(sequence)"),
      previous: sequence > 1 ? digest("\(sequence - 1)") : .zero, created: UInt64(now - daysOld * day),
      signer: signer, streamBytes: [1 << 20, 1 << 24, 1 << 20], recipientSlots: 2, target: place)
  }

  private static func expected(_ change: (inout ExpectedVault) -> Void = { _ in }) -> ExpectedVault {
    var vault = ExpectedVault(Self.vault)
    vault.maxAge = Double(2 * day)
    vault.target = place
    change(&vault)
    return vault
  }

  private func words(
    _ expected: ExpectedVault, _ archives: [SightedArchive], unreachable: [ExactText: String] = [:],
    drill: Int64? = nil
  ) -> [String] {
    expected.judge(archives, unreachable: unreachable, drill: drill, now: Self.now).problems.map(\.word)
  }

  @Test func `a vault with a recent whole archive is well`() {
    #expect(words(Self.expected(), [Self.archive(1, daysOld: 1), Self.archive(2)]).isEmpty)
  }

  @Test func `a newest file that cannot be read is unreachable, and not damaged`() {
    var unread = Self.archive(2)
    unread.state = .unreadable
    let judged = Self.expected().judge(
      [Self.archive(1), unread], unreachable: [:], drill: nil, now: Self.now)
    #expect(judged.problems == [.unread(sequence: 2)] && judged.newest?.sequence == 1)
    #expect(words(Self.expected(), [unread]) == ["unreachable"])
    #expect(words(Self.expected(), [Self.archive(3), unread]).isEmpty)
  }

  @Test func `no archive is missing, and a target that cannot be read is not`() {
    #expect(words(Self.expected(), []) == ["missing"])
    var elsewhere = Self.archive(1)
    elsewhere.target = "/backups/bob"
    #expect(words(Self.expected(), [elsewhere]) == ["missing"])
    #expect(words(Self.expected(), [], unreachable: [Self.place: "away"]) == ["unreachable"])
    // A vault that may be in any target is not missing while one of them cannot be read.
    let anywhere = Self.expected { $0.target = nil }
    #expect(words(anywhere, [], unreachable: ["/x": "away"]) == ["unreachable"])
    #expect(words(anywhere, [elsewhere], unreachable: ["/x": "away"]).isEmpty)
    let reasons = anywhere.judge([], unreachable: ["/y": "late", "/x": "away"], drill: nil, now: Self.now)
    #expect(reasons.problems == [.unreachable(reason: "away")])
  }

  @Test func `old archives, and those from the future, are late`() {
    #expect(words(Self.expected(), [Self.archive(1, daysOld: 3)]) == ["late"])
    #expect(words(Self.expected(), [Self.archive(1, daysOld: -3)]) == ["late"])
    #expect(words(Self.expected { $0.maxAge = nil }, [Self.archive(1, daysOld: 300)]).isEmpty)
    var archive = Self.archive(1)
    archive.created = UInt64(Self.now + 601)
    #expect(words(Self.expected(), [archive]) == ["late"])
    archive.created = UInt64(Self.now + 600)
    #expect(words(Self.expected(), [archive]).isEmpty)
    let drilled = Self.expected { $0.maxDrillAge = 60 }.judge(
      [archive], unreachable: [:], drill: Self.now + 601, now: Self.now)
    #expect(drilled.problems == [.notDrilled(seconds: -601)])
  }

  @Test func `two archives in one place, or after different archives, are a fork`() {
    var other = Self.archive(2)
    other.digest = Self.digest("other")
    #expect(words(Self.expected(), [Self.archive(1), Self.archive(2), other]) == ["forked"])
    var stray = Self.archive(2)
    stray.previous = Self.digest("other")
    #expect(words(Self.expected(), [Self.archive(1), stray]) == ["forked"])
    // A copy of the same archive is none, and neither is a gap.
    #expect(words(Self.expected(), [Self.archive(2), Self.archive(2), Self.archive(4)]).isEmpty)
  }

  @Test func `archives of other signers do not count, and are reported from the first signed one on`() throws
  {
    let (mine, other) = (try Self.key(1), try Self.key(2))
    let signed = Self.expected { $0.signers = [mine] }
    let old = Self.archive(1, daysOld: 3, signer: mine)
    #expect(words(signed, [Self.archive(1), Self.archive(2, signer: mine)]).isEmpty)
    // A planted archive does not hide that the vault's own is late.
    #expect(words(signed, [old, Self.archive(2, signer: other)]) == ["unsigned", "late"])
    #expect(words(signed, [old, Self.archive(2)]) == ["unsigned", "late"])
    #expect(words(signed, [Self.archive(2)]) == ["unsigned"])
    let judged = signed.judge([old, Self.archive(2)], unreachable: [:], drill: nil, now: Self.now)
    #expect(judged.newest == old)
  }

  @Test func `a damaged newest archive is reported with the age of the whole one`() {
    var damaged = Self.archive(3)
    damaged.state = .damaged
    #expect(words(Self.expected(), [Self.archive(2, daysOld: 5), damaged]) == ["damaged", "late"])
    #expect(words(Self.expected(), [Self.archive(4), damaged]).isEmpty)
    #expect(words(Self.expected(), [damaged]) == ["damaged"])
    // A file that is cut, or not there yet, has the word that list and verify have for it.
    for state in [TargetEntry.State.incomplete, .notDownloaded] {
      damaged.state = state
      #expect(words(Self.expected(), [Self.archive(2, daysOld: 5), damaged]) == ["incomplete", "late"])
    }
  }

  @Test func `a stream that lost more than padding explains is shrinking`() {
    let before = Self.archive(1)
    var now = Self.archive(2)
    now.streamBytes[1] = (1 << 24) - (1 << 20)
    #expect(words(Self.expected(), [before, now]).isEmpty)
    now.streamBytes[1] = 1 << 23
    #expect(words(Self.expected(), [before, now]) == ["shrinking"])
    // A differential archive is small by its nature.
    now.isDifferential = true
    #expect(words(Self.expected(), [before, now]).isEmpty)
    // One chunk is the least that padding can change.
    var small = (Self.archive(1), Self.archive(2))
    (small.0.streamBytes, small.1.streamBytes) = ([32_768, 0, 0], [16_384, 0, 0])
    #expect(words(Self.expected(), [small.0, small.1]).isEmpty)
  }

  @Test func `too few slots for recipients, and drills that are missing or old`() {
    let two = Self.expected { $0.recipients = 2 }
    var one = Self.archive(1)
    one.recipientSlots = 1
    #expect(words(two, [Self.archive(1)]).isEmpty && words(two, [one]) == ["without-recipient"])
    let drilled = Self.expected { $0.maxDrillAge = Double(30 * Self.day) }
    #expect(words(drilled, [one]) == ["not-drilled"])
    #expect(words(drilled, [one], drill: Self.now - 31 * Self.day) == ["not-drilled"])
    #expect(words(drilled, [one], drill: Self.now - Self.day).isEmpty)
    // The absence of an archive is the problem to solve first.
    #expect(words(drilled, []) == ["missing"])
  }

  @Test func `problems come first, and a vault that is not in the list is foreign`() {
    var bob = ExpectedVault(VaultID(words: (3, 4)))
    (bob.label, bob.owner) = ("bob", "Bob")
    var alice = Self.expected()
    alice.label = "alice"
    var stranger = Self.archive(1)
    stranger.vault = VaultID(words: (5, 6))
    stranger.label = "stranger"
    let verdicts = ExpectedVaults([alice, bob]).judge([Self.archive(1), stranger], now: Self.now)
    #expect(verdicts.map(\.word) == ["missing", "foreign", "ok"])
    #expect(verdicts.map(\.label) == ["bob", "stranger", "alice"])
    #expect(verdicts.map { $0.expected?.owner } == ["Bob", nil, nil])
  }

  @Test func `a list of the present vaults finds all of them well`() throws {
    let mine = try Self.key(1)
    var other = Self.archive(1)
    (other.vault, other.target) = (VaultID(words: (5, 6)), "/backups/other")
    let archives = [Self.archive(1, signer: mine), Self.archive(2, signer: mine), other]
    let list = ExpectedVaults(of: archives, maxAge: Double(Self.day))
    #expect(list.vaults.count == 2 && list.vaults.first { $0.id == Self.vault }?.signers == [mine])
    #expect(list.judge(archives, now: Self.now).allSatisfy { $0.problems.isEmpty })
    // And all of them late two days later.
    let later = list.judge(archives, now: Self.now + 2 * Self.day)
    #expect(later.map(\.word) == ["late", "late"])
  }

  @Test func `a list of the present vaults takes the signers from trust, and none where keys differ`() throws
  {
    let (mine, other) = (try Self.key(1), try Self.key(2))
    let archives = [Self.archive(1, signer: mine), Self.archive(99, signer: other)]
    let known = try #require(ExpectedVaults(of: archives, maxAge: nil) { _ in [mine] }.vaults.first)
    #expect(known.signers == [mine] && known.otherSigners == [other: 99])
    let unknown = try #require(ExpectedVaults(of: archives, maxAge: nil).vaults.first)
    #expect(unknown.signers.isEmpty && unknown.otherSigners == [mine: 1, other: 99])
  }

  @Test func `the words of the problems are in the order of their urgency`() {
    let all: [ExpectedProblem] = [
      .unreachable(reason: ""), .missing, .damaged(sequence: 1), .incomplete(sequence: 1),
      .forked(sequence: 1), .unsigned(sequence: 1, signer: nil),
      .late(seconds: nil, limit: 1), .shrinking(before: 2, now: 1), .withoutRecipient(expected: 1, found: 0),
      .notDrilled(seconds: nil), .foreign,
    ]
    #expect(all.map(\.word) == ExpectedProblem.words && all.map(\.rank) == Array(all.indices))
  }
}
