import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import Glibc
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

/// Sources read by a separate process yield the same records as in this process.
@Suite(.enabled(if: BuiltBinary.path != nil, "the program is not built"))
struct BoxedSourceTests {
  /// One file for each kind that recognises one, and a text that none does.
  private static let samples: [(kind: String, path: String)] = {
    let corpus = "\(SourceTree.path)/Tests/Fuzz/Corpus"
    let folders = (try? Directory.open(corpus).list()) ?? []
    var found: [String: [String]] = [:]
    for folder in folders where folder.kind == .directory {
      let path = "\(corpus)/\(folder.text ?? "")"
      for file in (try? Directory.open(path).list()) ?? [] where file.kind == .file {
        let sample = "\(path)/\(file.text ?? "")"
        guard let kind = try? CollectorKind.recognised(at: sample) else { continue }
        found[kind.name, default: []].append(sample)
      }
    }
    return CollectorKind.all.flatMap { kind in
      ((found[kind.name] ?? []).prefix(2) + ["\(corpus)/foreign/legacy"]).map { (kind.name, $0) }
    }
  }()

  private final class Walls: Sendable {
    let seen = Mutex<[ReaderBox]>([])
  }

  init() {
    // As the program has it: a process that is gone is an error, and no signal.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private func readers(_ walls: Walls) throws -> Readers {
    Readers(
      executable: try #require(BuiltBinary.path), isReady: { box in walls.seen.withLock { $0.append(box) } },
      isStalled: { _, _ in })
  }

  /// A collector's whole result, as texts that can be compared.
  private func told(_ source: any ForeignSource, _ request: CollectionRequest) -> [String] {
    let records: ImportedRecords
    do {
      records = try source.read(request)
    } catch {
      return ["\(error)"]
    }
    var lines: [String] = []
    do {
      try records.forEachRecord(besides: .manifest) {
        lines.append("\(type(of: $0)) \(Hex.encode(try $0.serializedBytes() as [UInt8]))")
      }
      try records.forEachSecretFileRecord { lines.append("secret file \($0.withBytes { Hex.encode($0) })") }
      for key in records.privateKeys { lines.append("key \(try key.encoded().withBytes { Hex.encode($0) })") }
      for share in records.shares {
        lines.append("share \(share.faults) \(share.secret.bytes.withBytes { Hex.encode($0) })")
      }
    } catch {
      lines.append("\(error)")
    }
    lines += records.findings.map { "\($0)" } + records.problems.map(\.problem)
    lines += records.excluded.map { "\($0.what) \($0.reason) \($0.byRequest)" }
    let report = records.report(source: source.name)
    return lines + ["\(report.complete) \(report.excluded.map(\.what))"]
  }

  @Test func `of every kind the records are the same in a box and without one`() throws {
    let walls = Walls()
    let readers = try readers(walls)
    var kinds: Set<String> = []
    for (name, path) in Self.samples {
      let kind = try CollectorKind(named: name)
      for isForBackup in [true, false] {
        var request = CollectionRequest(includesPrivateKeys: true)
        request.isForBackup = isForBackup
        let passphrase = SourcePassphrase {
          SharedSecret(try SecretBytes(copying: Array("password".utf8).span))
        }
        let here = told(kind.source(at: path, passphrase: passphrase), request)
        request.work = WorkBudget()
        let boxed = told(kind.source(at: path, passphrase: passphrase, in: readers), request)
        #expect(here == boxed, "\(name) \(path)")
        if here.count > 2 { kinds.insert(name) }
      }
    }
    #expect(kinds.count > 15, "\(kinds)")
    #expect(walls.seen.withLock { $0.count } >= 2 * Self.samples.count)
    let complete = ReaderBox(landlock: Sandbox.version, hasCallFilter: ReaderBox.canFilterCalls)
    #expect(walls.seen.withLock { $0.allSatisfy { $0 == complete } })
  }

  @Test func `a folder's files are kept in the box as they are without it`() throws {
    let folder = try TemporaryDirectory()
    try folder.write([1, 2, 3], to: "one")
    try folder.write(Array("-----BEGIN PGP MESSAGE-----".utf8), to: "two")
    try Directory.makePrivateDirectories(folder.path("in/ner"))
    try Directory.open(folder.path("in/ner")).writeWhole([9], as: "three", replacing: false)
    let kind = try CollectorKind(named: "file")
    for withKeys in [true, false] {
      var request = CollectionRequest(includesPrivateKeys: withKeys)
      request.isForBackup = true
      let here = told(kind.source(at: folder.path), request)
      #expect(try told(kind.source(at: folder.path, in: readers(Walls())), request) == here)
    }
  }

  @Test func `a reader that says nothing, or nonsense, leaves its files kept or the source named`() throws {
    let folder = try TemporaryDirectory()
    try folder.write([1, 2, 3], to: "one")
    for program in ["/bin/true", "/bin/false"] {
      let broken = Readers(executable: program, isReady: { _ in }, isStalled: { _, _ in })
      var request = CollectionRequest(includesPrivateKeys: true)
      request.isForBackup = true
      let source = try CollectorKind(named: "file").source(at: folder.path, in: broken)
      #expect(throws: ReaderError.self) { try source.read(request) }
    }
  }

  @Test func `what keeps a passphrase from being given is the run's error, not the reader's`() throws {
    struct NoPassword: Error {}
    let folder = try TemporaryDirectory()
    try folder.write(Array(ShareFile().text.utf8), to: "share")
    var request = CollectionRequest(includesPrivateKeys: true)
    request.isForBackup = true
    let vault = Self.samples.first { $0.kind == "keystore" && $0.path.contains("keystore") }
    let path = try #require(vault?.path)
    let source = try CollectorKind(named: "keystore").source(
      at: path, passphrase: SourcePassphrase { throw NoPassword() }, in: readers(Walls()))
    #expect(throws: NoPassword.self) { try source.read(request) }
  }
}
