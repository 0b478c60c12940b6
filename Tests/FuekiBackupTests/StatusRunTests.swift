import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The judgement of `status`, without a process.
@Suite struct StatusRunTests {
  private static let created: UInt64 = 1_795_242_600
  private static let now = Int64(created) + 86_400

  private func make(_ sequence: UInt64, in folder: String, named name: String) throws -> Digest {
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: sequence, previous: .zero, created: Self.created, signer: nil)
    let slot = NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
    return try SampleBundle().bundle().write(
      to: ArchiveFile(Directory.open(folder).createFile(name)), draft: draft, slots: [slot],
      facts: ManifestFacts(program: "test", label: "test", device: "test")
    ).digest
  }

  private func run(
    _ folder: String, _ state: StateDirectory, now: Int64 = now,
    _ change: (inout StatusRun) -> Void = { _ in }
  ) throws -> TargetStatus {
    var run = StatusRun(state, trust: Trust(remembered: state.vaults()), now: now)
    change(&run)
    let listing = TargetListing(of: Target(path: folder), past: try state.activity())
    return try #require(try run.run(on: [listing]).first)
  }

  @Test func `a machine that knows nothing reports the archives, by their headers and names`() throws {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path + "/state")
    let target = folder.path + "/target"
    try Directory.makePrivateDirectories(target)
    let name = "alice-20261121T063000Z-000002-0123456789ab.fueki"
    let digest = try make(2, in: target, named: name)
    let status = try run(target, state)
    let vault = try #require(status.vaults.first)
    #expect(status.vaults.count == 1 && status.isWell && status.isComplete)
    #expect(vault.name == "alice" && vault.newest?.statedDigest == digest)
    #expect(vault.made == Int64(Self.created) && vault.last.isEmpty)
    // The command tries its secrets on these.
    #expect(status.own.map(\.statedDigest) == [digest])
  }

  @Test func `an archive that is over its limit, never verified, or dated in the future is a problem`() throws
  {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path + "/state")
    _ = try make(1, in: folder.path, named: "a.fueki")
    func ages(_ limits: StatusRun.Limits, now: Int64 = Self.now) throws -> [StatusProblem.Age] {
      let vault = try run(folder.path, state, now: now) { $0.limits = limits }.vaults.first
      return (vault?.problems ?? []).compactMap { if case .age(_, let age) = $0 { age } else { nil } }
    }
    #expect(try ages(StatusRun.Limits(archive: 86_400)).isEmpty)
    #expect(try ages(StatusRun.Limits(archive: 86_399)) == [.seconds(86_400)])
    #expect(try ages(StatusRun.Limits(verification: 1, drill: 1)) == [.never, .never])
    // Clocks differ by some minutes. An archive of another machine has only its header's date.
    let made = Int64(Self.created)
    #expect(try ages(StatusRun.Limits(archive: 60), now: made - 600).isEmpty)
    #expect(try ages(StatusRun.Limits(archive: 60), now: made - 601) == [.future])
    try state.note(
      .create, target: folder.path, vault: SampleBundle.vaultID, archive: nil, sequence: 1,
      time: (Self.now + 700) * 1_000_000)
    #expect(try ages(StatusRun.Limits(archive: 60)) == [.future])
  }

  @Test func `what this machine made and is gone, and a configured vault without an archive`() throws {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path + "/state")
    _ = try make(1, in: folder.path, named: "a.fueki")
    let gone = SHA256.hash([1])
    try state.note(
      .create, target: folder.path, vault: SampleBundle.vaultID, archive: gone, sequence: 2,
      time: Self.now * 1_000_000)
    let club = VaultID(words: (7, 7))
    let status = try run(folder.path, state) {
      $0.configured = { _ in [club] }
      $0.name = { $0 == club ? "club" : nil }
    }
    let own = try #require(status.vaults.first { $0.vault == SampleBundle.vaultID })
    let isGone = own.problems.contains {
      if case .gone(let digest) = $0 { digest == gone.hex } else { false }
    }
    #expect(isGone, "\(own.problems)")
    let missed = try #require(status.vaults.first { $0.vault == club })
    let isMissed = missed.problems.contains { if case .noArchive = $0 { true } else { false } }
    #expect(isMissed && missed.name == "club" && !status.isWell)
  }

  @Test func `a target that is not there lists what this machine made, and an empty one its folders`() throws
  {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path + "/state")
    let away = folder.path + "/away"
    try state.note(
      .create, target: away, vault: SampleBundle.vaultID, archive: nil, sequence: 3,
      time: Self.now * 1_000_000)
    guard case .unreachable(let made, _)? = try run(away, state).problems.first else {
      Issue.record("a target that is not there")
      return
    }
    #expect(made.map(\.sequence) == [3])
    let parent = folder.path + "/parent"
    try Directory.makePrivateDirectories(parent + "/alice")
    guard case .empty(false)? = try run(parent, state).problems.first else {
      Issue.record("an empty folder")
      return
    }
    _ = try make(1, in: parent + "/alice", named: "a.fueki")
    guard case .empty(true)? = try run(parent, state).problems.first else {
      Issue.record("a folder of folders")
      return
    }
  }
}
