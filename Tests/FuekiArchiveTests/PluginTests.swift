import ArchiveSupport
import FuekiArchive
import FuekiCrypto
import FuekiSystem
import Synchronization
import TestSupport
import Testing

/// Slots created and opened by age plugins, with a running plugin.
@Suite(.enabled(if: InstalledProgram.path("python3") != nil, "no python3 on this machine"))
struct PluginTests {
  private func write(_ slots: [NewSlot], in folder: borrowing TemporaryDirectory) throws -> IntactArchive {
    let draft = ArchiveDraft(
      vaultID: Guardians.vaultID, sequence: 1, previous: .zero, created: 1_795_240_800)
    let file = ArchiveFile(try folder.open().createFile("archive"))
    var writer = try ArchiveWriter(to: file, draft: draft, slots: slots, manifestByteCount: 0)
    try writer.write(section: 32) { nil }
    let written = try writer.finish(manifest: [])
    #expect(written.slotsForTheLongTerm.count == slots.count)
    return try #require(try StoredArchive(reading: file).verify().intact)
  }

  @Test func `a plugin's slot opens with its identity, and again in an archive with other keys`() throws {
    let folder = try TemporaryDirectory()
    let plugin = try TestPlugin("honest")
    let other = try TestPlugin("honest")
    let intact = try write(
      [NewSlot(try other.recipient(), opening: ScopeMask([.profile])), NewSlot(try plugin.recipient())],
      in: folder)
    #expect(intact.source.slots.map(\.type) == [.agePlugin, .agePlugin])
    #expect(intact.source.slots.map(\.isForTheLongTerm) == [false, false])
    // The first slot's stanza also yields a key from this plugin, but it is not that slot's key.
    let open = try intact.unlock(with: UnlockingSecrets(plugins: [try plugin.identity()]))
    #expect(open.openedSlots == [2] && open.scopes.count == 3)
    let both = try intact.unlock(
      with: UnlockingSecrets(plugins: [try other.identity(), try plugin.identity()]))
    #expect(both.openedSlots == [1, 2])

    let again = try #require(open.newSlot(like: 2))
    #expect(again.type == .agePlugin)
    let next = try write([again], in: try TemporaryDirectory())
    #expect(try next.unlock(with: UnlockingSecrets(plugins: [try plugin.identity()])).openedSlots == [1])
    #expect(throws: ArchiveError.self) {
      try next.unlock(with: UnlockingSecrets(plugins: [try other.identity()]))
    }
  }

  @Test(arguments: ["greases", "looks-around", "post-quantum"])
  func `a plugin that does what the protocol allows is understood`(_ mode: String) throws {
    let folder = try TemporaryDirectory()
    let plugin = try TestPlugin(mode)
    let intact = try write([NewSlot(try plugin.recipient())], in: folder)
    #expect(try intact.unlock(with: UnlockingSecrets(plugins: [try plugin.identity()])).openedSlots == [1])
  }

  @Test func `a plugin says whether its stanzas are for the long term, or the person does`() throws {
    for (mode, isForTheLongTerm) in [("honest", false), ("post-quantum", true)] {
      let recipient = try TestPlugin(mode).recipient()
      #expect(try recipient.wrap(.system).isForTheLongTerm == isForTheLongTerm)
      #expect(try recipient.declaredForTheLongTerm().wrap(.system).isForTheLongTerm == true)
      #expect(!recipient.isForTheLongTerm && recipient.declaredForTheLongTerm().isForTheLongTerm)
    }
  }

  @Test func `a plugin's questions are answered`() throws {
    let anna = Anna(pin: "1234")
    let plugin = try TestPlugin("asks", asking: anna)
    let intact = try write([NewSlot(try plugin.recipient())], in: try TemporaryDirectory())
    #expect(try intact.unlock(with: UnlockingSecrets(plugins: [try plugin.identity()])).openedSlots == [1])
    let once = ["age-plugin-fuekitest: Please touch it", "Really? Go on/Stop", "Your name", "PIN"]
    #expect(anna.seen.withLock { $0 } == once + once)
  }

  @Test func `a question without an answer is told`() throws {
    let silent = try TestPlugin("asks")
    #expect(throws: Self.failure(.unanswered("Really?"))) { try silent.recipient().wrap(.system) }
    let forgetful = try TestPlugin("asks", asking: Anna(pin: nil))
    #expect(throws: Self.failure(.unanswered("PIN"))) { try forgetful.recipient().wrap(.system) }
    let mistaken = try TestPlugin("asks", asking: Anna(pin: "4321"))
    #expect(throws: Self.failure(.refused("no PIN"))) { try mistaken.recipient().wrap(.system) }
  }

  private static func failure(_ fault: PluginFailure.Fault) -> PluginFailure {
    PluginFailure(program: "age-plugin-fuekitest", fault: fault)
  }

  /// The faults of a plugin in this mode, as seen by a writer and by a reader.
  private static let faults: [(mode: String, writing: PluginFailure.Fault?, reading: PluginFailure.Fault?)] =
    [
      ("dies", .ended(.exited(3), errors: "boom\n"), .ended(.exited(3), errors: "boom\n")),
      ("silent", .timedOut, .timedOut),
      ("noisy", .timedOut, .timedOut),
      ("floods", .broke(.tooLong), .broke(.tooLong)),
      ("chatters", .broke(.tooLong), .broke(.tooLong)),
      ("garbage", .broke(.malformed), .broke(.malformed)),
      ("long-body", .broke(.tooLong), .broke(.tooLong)),
      ("long-line", .broke(.tooLong), .broke(.tooLong)),
      ("wide-line", .broke(.malformed), .broke(.malformed)),
      ("padded", .broke(.malformed), .broke(.malformed)),
      ("cut", .ended(.exited(0), errors: ""), .ended(.exited(0), errors: "")),
      ("refuses", .refused("no \u{1b}[31mkey\u{7} here"), .refused("no \u{1b}[31mkey\u{7} here")),
      ("nothing", .noKey, .noKey),
      ("five-stanzas", .broke(.stanzas), nil),
      ("lies", .broke(.outOfPlace), .wrongKey),
      ("short-key", nil, .wrongKey),
      ("doubled", nil, .broke(.outOfPlace)),
    ]

  @Test(arguments: faults.indices)
  func `a plugin that is wrong is told of, and ends`(_ index: Int) throws {
    let (mode, writing, reading) = Self.faults[index]
    let hangs = [.timedOut].contains(writing)
    let plugin = try TestPlugin(mode, patience: hangs ? 1 : 60)
    if let writing {
      #expect(throws: Self.failure(writing), "\(mode)") { try plugin.recipient().wrap(.system) }
    }
    guard let reading else { return }
    // The slot is an honest plugin's. Its contents are not inspected before the plugin is asked.
    let passphrase = try secret(normalising: "words")
    let intact = try write(
      [
        NewSlot(try TestPlugin("honest").recipient()),
        .passphrase(passphrase, cost: Argon2id.Cost(memoryKiB: 65536, passes: 2)),
      ], in: try TemporaryDirectory())
    let identity = try plugin.identity()
    do throws(ArchiveError) {
      _ = try intact.unlock(with: UnlockingSecrets(plugins: [identity]))
      Issue.record("\(mode) opened the archive")
    } catch {
      #expect(error == .pluginFailed(Self.failure(reading)), "\(mode)")
      #expect(error.verdict == .wrongSecret)
    }
    guard !hangs else { return }
    let secrets = UnlockingSecrets(passphrases: [passphrase], plugins: [try plugin.identity()])
    #expect(try intact.unlock(with: secrets).openedSlots == [2], "\(mode)")
  }

  @Test func `a plugin that is not there is named`() throws {
    let name = try #require(try AgePluginRecipient(try TestPlugin("honest").recipientText))
    let nowhere = AgePlugins(patience: 1) { _ in nil }
    #expect(throws: Self.failure(.notInstalled)) { try PluginRecipient(name, nowhere).wrap(.system) }
  }

  @Test func `slots that the header has no room for are not written`() throws {
    let arguments =
      "-> recipient-stanza 0 "
      + Array(repeating: String(repeating: "a", count: 2000), count: 4)
      .joined(separator: " ") + "\n\n"
    let words = Array((arguments + arguments + "-> done\n\n").utf8)
    let plugins = AgePlugins { (_, _) in RecordedPlugin(words) }
    let recipient = try #require(try AgePluginRecipient(try TestPlugin("honest").recipientText))
    let folder = try TemporaryDirectory()
    let file = ArchiveFile(try folder.open().createFile("archive"))
    let draft = ArchiveDraft(
      vaultID: Guardians.vaultID, sequence: 1, previous: .zero, created: 1_795_240_800)
    let slots = (0..<5).map { _ in NewSlot(PluginRecipient(recipient, plugins)) }
    do {
      _ = try ArchiveWriter(to: file, draft: draft, slots: slots, manifestByteCount: 0)
      Issue.record("a header beyond the limit was written")
    } catch {
      guard case BundleError.headerTooLarge(let bytes) = error else { throw error }
      #expect(bytes > 65_536)
    }
    #expect(try File.open(folder.path("archive")).size() == 0)
  }
}
