import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// A whole verification, with no command line around it.
struct VerifyRunTests {
  /// Writes an archive for a recipient whose key does not exist.
  private func write(
    _ sequence: UInt64, _ name: String, _ folder: borrowing TemporaryDirectory, signer: SigningKey? = nil
  ) throws -> Digest {
    let sample = try SampleBundle()
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: sequence, previous: .zero, created: 1_700_000_000 + sequence,
      signer: signer)
    let slot = NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
    return try sample.bundle().write(
      to: ArchiveFile(folder.open().createFile(name)), draft: draft, slots: [slot],
      facts: ManifestFacts(program: "test", label: "test", device: "test")
    ).digest
  }

  private func verify(
    _ folder: borrowing TemporaryDirectory, _ lines: inout [String],
    change: (inout VerifyRun) -> Void = { _ in }
  ) throws -> [VerificationResult] {
    var ended: [String] = []
    defer { lines = ended }
    let found = try VerifySubject.all(
      of: try Target(path: folder.path).entries(), trust: Trust(), demanded: nil, takesAnySigner: false)
    var run = VerifyRun(Verification(), trust: Trust(), start: SystemClock.now) { event in
      if case .ended(let result) = event { ended.append(result.verdict.rawValue) }
    }
    change(&run)
    return try run.run(on: found.subjects)
  }

  @Test func `of a folder only the newest is compared with what is known`() throws {
    let folder = try TemporaryDirectory()
    _ = try write(1, "1.fueki", folder)
    let newest = try write(2, "2.fueki", folder)
    var lines: [String] = []
    let known = VaultState.Link(sequence: 2, digest: newest)
    let results = try verify(folder, &lines) { $0.given = [SampleBundle.vaultID: known] }
    #expect(results.map(\.verdict) == [.intact, .intact] && lines == ["ok", "ok"])
    let later = VaultState.Link(sequence: 3, digest: newest)
    let older = try verify(folder, &lines) { $0.given = [SampleBundle.vaultID: later] }
    #expect(Set(older.map(\.verdict)) == [.intact, .older])
  }

  @Test func `a copy with other seals is forged where the signature covers them`() throws {
    let folder = try TemporaryDirectory()
    let seed = [UInt8](repeating: 5, count: 32)
    let signer = try SigningKey(seed: SharedSecret(try SecretBytes(copying: seed.span)))
    _ = try write(1, "signed.fueki", folder, signer: signer)
    _ = try write(2, "unsigned.fueki", folder)
    for name in ["signed", "unsigned"] {
      try folder.write(folder.read("\(name).fueki").withOtherSeals, to: "\(name) copy.fueki")
    }
    var lines: [String] = []
    let results = try verify(folder, &lines)
    let verdicts = Dictionary(
      uniqueKeysWithValues: results.map { (String($0.path.split(separator: "/").last ?? ""), $0.verdict) })
    // Without a key nothing tells the copy of the unsigned one.
    #expect(
      verdicts == [
        "signed.fueki": .intact, "signed copy.fueki": .forged, "unsigned.fueki": .intact,
        "unsigned copy.fueki": .intact,
      ])
    let covers = results.compactMap { $0.facts.map(SealCover.init) }
    #expect(covers.count { $0 == .covered } == 2 && covers.count { $0 == .unsigned } == 2)
  }

  @Test func `two archives in one place are told a second time, as a fork`() throws {
    let folder = try TemporaryDirectory()
    _ = try write(1, "a.fueki", folder)
    _ = try write(1, "b.fueki", folder)
    var lines: [String] = []
    let results = try verify(folder, &lines)
    #expect(results.map(\.verdict) == [.forked, .forked])
    #expect(lines == ["ok", "ok", "forked", "forked"])
  }

  @Test func `a machine that makes backups remembers that the newest is whole`() throws {
    let folder = try TemporaryDirectory()
    let digest = try write(7, "7.fueki", folder)
    let elsewhere = try TemporaryDirectory()
    let state = StateDirectory(path: elsewhere.path("state"))
    var run = VerifyRun(Verification(), trust: Trust(), start: SystemClock.now) { _ in }
    run.state = state
    let found = try VerifySubject.all(
      of: try Target(path: folder.path).entries(), trust: Trust(), demanded: nil, takesAnySigner: false)
    let results = try run.run(on: found.subjects)
    run.remember(results, of: [folder.path])
    #expect(!state.exists, "a machine without backups keeps nothing")
    _ = try state.lock(purpose: "test", processID: 1)
    run.remember(results, of: [elsewhere.path])
    #expect(try state.activity().isEmpty, "another folder was verified")
    run.remember(results, of: [folder.path])
    #expect(try state.activity().map(\.archive) == [digest.hex])
  }
}
