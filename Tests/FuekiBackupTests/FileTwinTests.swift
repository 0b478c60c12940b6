import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Archives that have a file twice, as version 0.2.0 makes them after a recovery, and files that are not whole.
struct FileTwinTests {
  private let sample: SampleBundle

  init() throws { sample = try SampleBundle() }

  /// A part of a file whose content is "abcdef".
  private func part(_ range: Range<Int>, _ text: String = "abcdef", total: UInt64 = 6) -> FilePart {
    let content = Array(text.utf8)
    var part = FilePart()
    part.id = Data(repeating: 7, count: 16)
    part.source = "file"
    part.path = Data("a".utf8)
    part.offset = UInt64(range.lowerBound)
    part.total = total
    part.content = Data(content[range])
    if range.lowerBound == 0 { part.place = Data("~/docs/a".utf8) }
    return part
  }

  private func secret(_ part: FilePart) throws -> SharedSecret {
    let content = try SecretBytes(copying: Array(part.content).span)
    var secret = SecretFilePart(
      id: Array(part.id), source: part.source, path: Array(part.path), offset: part.offset,
      total: part.total, content: SharedSecret(content))
    if part.hasPlace { secret.place = Array(part.place) }
    return try RecordFraming.framed(secret.encoded())
  }

  private func bundle(_ parts: [FilePart], secrets: Bool) throws -> BackupBundle {
    var builder = BackupBundle.Builder()
    for part in parts {
      if secrets {
        builder.add(secretRecord: try secret(part), to: .secretFiles)
      } else {
        try builder.add(part)
      }
    }
    return builder.build()
  }

  private func verify(_ folder: borrowing TemporaryDirectory) throws -> Verdict {
    var verification = Verification(depth: .contents)
    verification.secrets = UnlockingSecrets(passphrases: [sample.passphrase])
    return try verification.run(on: folder.path("a.fueki")) { _ in nil }.verdict
  }

  @Test(arguments: [false, true]) func `of a file that is in an archive twice one comes back`(
    _ secrets: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let once = [part(0..<3), part(3..<6)]
    for parts in [once + once, [once[0], once[0], once[1], once[1]]] {
      if try folder.open().contains("a.fueki") { try folder.open().remove("a.fueki") }
      let archive = try sample.open(sample.archive(try bundle(parts, secrets: secrets), in: folder))
      #expect(try verify(folder) == .intact)

      let root = "\(folder.path)/back-\(UInt64.random(in: .min ... .max))"
      try Directory.makePrivateDirectories(root)
      let request = PlacingRequest(
        root: .folder(root), isMine: true, stamp: "20261121T063000Z", homeAnswers: { _, _ in .closed },
        holds: { _ in nil }
      ) { _, _ in "" }
      let plan = try archive.placePlan(request)
      #expect(plan.isComplete && plan.files.count == 1)
      try archive.place(plan, request)
      let placed = try File.open("\(root)/docs/a").readAll(limit: 100)
      #expect(placed == Array("abcdef".utf8))
      // Compared with a bundle that has it once, nothing differs.
      #expect(try archive.difference(to: try bundle(once, secrets: secrets)).isEmpty)
    }
  }

  @Test func `a key that is in an archive twice differs in nothing from one`() throws {
    let folder = try TemporaryDirectory()
    func bundle(_ count: Int) throws -> BackupBundle {
      var sample = ProofSample()
      for _ in 0..<count { try sample.add(key: Array("a key".utf8), of: nil) }
      return sample.builder.build()
    }
    let archive = try sample.open(sample.archive(try bundle(2), in: folder))
    #expect(try archive.difference(to: try bundle(1)).isEmpty)
    #expect(try !archive.difference(to: try bundle(0)).isEmpty)
  }

  @Test(arguments: [false, true]) func `an archive with a file that cannot be put back is not ok`(
    _ secrets: Bool
  ) throws {
    let faults = [
      [part(0..<3)], [part(3..<6)], [part(0..<3), part(3..<6), part(0..<3, "abX")],
      [part(0..<3), part(2..<6)], [part(0..<3), part(3..<6, total: 7)], [part(0..<6, total: 5)],
    ]
    for parts in faults {
      let folder = try TemporaryDirectory()
      let archive = try sample.open(sample.archive(try bundle(parts, secrets: secrets), in: folder))
      #expect(try verify(folder) == .forged)
      let request = PlacingRequest(
        root: .folder(folder.path), isMine: true, stamp: "20261121T063000Z", homeAnswers: { _, _ in .closed },
        holds: { _ in nil }
      ) { _, _ in "" }
      #expect(try archive.placePlan(request).isComplete == false)
    }
  }

  @Test func `an archive with a file that cannot be put back is not published`() throws {
    let folder = try TemporaryDirectory()
    let target = folder.path("target")
    try Directory.makePrivateDirectories(target)
    let state = StateDirectory(path: folder.path("state"))
    let backup = Publication(
      to: [Target(path: target)], of: SampleBundle.vaultID, label: sample.facts.label, slots: sample.slots(),
      created: 1_700_000_000, state: try state.lock(purpose: "test", processID: 1))
    #expect(throws: ArchiveError.forged(.records(section: Section.files.rawValue))) {
      try backup.create(sample.facts, progress: { _ in }) {
        try bundle([part(0..<3)], secrets: false)
      }
    }
    #expect(try Directory.open(target).list().isEmpty)
    let made = try backup.create(sample.facts, progress: { _ in }) {
      try bundle([part(0..<3), part(3..<6)], secrets: false)
    }
    #expect(made.paths.count == 1)
  }
}
