package import FuekiSystem
import Glibc
package import TestSupport
package import Testing

/// A machine of its own for a test: a wallet of the demonstration, one archive made of it, and nothing else.
package final class Machine: Sendable {
  /// The passphrase of the archives, which no other file contains.
  package static let passphrase = "canary Zq7 of the archive, 41 bytes long"

  package let root: String
  private let directory: TemporaryDirectory

  /// Where it is not prepared it is a new machine, with no wallet and no archive.
  package init(isPrepared: Bool = true) throws {
    directory = try TemporaryDirectory()
    root = directory.path
    if isPrepared {
      let source = try PreparedMachine.root.get()
      _ = try BuiltBinary.run(program: "/bin/cp", ["-a", "\(source)/.", root])
    }
    for name in ["home", "tmp", "target"] { try Directory.makePrivateDirectories(path(name)) }
    guard !isPrepared else { return }
    try write(Self.passphrase, to: "passphrase")
  }

  /// Another machine, with the same files in the same places.
  package init(copying source: String) throws {
    directory = try TemporaryDirectory()
    root = directory.path
    let copied = try BuiltBinary.run(program: "/bin/cp", ["-a", "\(source)/.", root])
    guard copied.status == 0 else { throw PreparedMachine.Failed(run: copied) }
  }

  package var data: String { path("data") }
  package var state: String { path("state") }
  package var target: String { path("target") }
  /// Options that name both secrets' files, and a derivation that is quick.
  package var secrets: [String] { archiveSecret + keychainSecret + Self.quick }
  package var archiveSecret: [String] { ["-p", path("passphrase")] }
  package var keychainSecret: [String] { ["--keychain-passphrase-from", "file:\(path("keychain.pass"))"] }
  /// The secrets that open an archive and the keychain, for commands that make neither.
  package var secretsToRead: [String] { archiveSecret + keychainSecret }
  package static let quick = ["--kdf-memory", "64", "--kdf-passes", "2"]

  package func path(_ name: String) -> String { "\(root)/\(name)" }
  /// Where another machine has what is its own, as an environment; its home is made.
  package func places(of name: String) throws -> [String: String] {
    let (home, state, data) = (path("\(name)-home"), path("\(name)-state"), path("\(name)-data"))
    try Directory.makePrivateDirectories(home)
    return ["HOME": home, "FUEKI_STATE": state, "FUEKI_DATADIR": data]
  }
  /// A file as a place of a secret.
  package func place(_ name: String) -> String { "file:\(path(name))" }

  /// Runs the program as this machine's person, where wanted through another program, such as strace.
  ///
  /// A status that is given is expected.
  @discardableResult
  package func run(
    _ arguments: [String], through: [String] = [], environment: [String: String] = [:], stdin: String = "",
    timeout: Double = 180, status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    let own = [
      "HOME": path("home"), "FUEKI_STATE": state, "FUEKI_DATADIR": data, "TMPDIR": path("tmp"),
    ]
    let command = through + [try PreparedMachine.binary()] + arguments
    let run = try BuiltBinary.run(
      program: command[0], Array(command.dropFirst()), environment: own.merging(environment) { $1 },
      stdin: Array(stdin.utf8), cwd: root, timeout: timeout)
    return run.expect(status, sourceLocation: sourceLocation)
  }

  /// Makes an archive in the machine's target.
  @discardableResult
  package func create(
    _ more: [String] = [], through: [String] = [], environment: [String: String] = [:], timeout: Double = 180,
    status: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    try run(
      ["create", "--target", target] + secrets + more, through: through, environment: environment,
      timeout: timeout, status: status, sourceLocation: sourceLocation)
  }

  /// Restores into a data directory that is not there yet.
  @discardableResult
  package func restore(
    _ archive: String = "latest", to name: String = "restored", _ more: [String] = [], status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    try run(
      ["restore", archive, "--target", target, "--datadir", path(name)] + secrets + more, status: status,
      sourceLocation: sourceLocation)
  }

  // MARK: files

  package func write(_ text: String, to name: String, permissions: UInt16 = 0o600) throws {
    try write(Array(text.utf8), to: name, permissions: permissions)
  }

  /// Writes a file, and makes the folders that it is to be in.
  package func write(_ bytes: [UInt8], to name: String, permissions: UInt16 = 0o600) throws {
    if let slash = name.lastIndex(of: "/") {
      try Directory.makePrivateDirectories(path(String(name[..<slash])))
    }
    let folder = try self.folder(of: name)
    let last = Self.lastPart(of: name)
    if try folder.contains(last) { try folder.remove(last) }
    try folder.createFile(last, permissions: permissions).pwriteAll(bytes, at: 0)
  }

  package func read(_ name: String) throws -> [UInt8] { try directory.read(name) }
  package func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

  package func names(in name: String) throws -> [String] {
    try Directory.open(path(name)).list().map { String(decoding: $0.name, as: UTF8.self) }
  }

  package func exists(_ name: String) -> Bool {
    (try? folder(of: name).contains(Self.lastPart(of: name))) ?? false
  }

  private func folder(of name: String) throws -> Directory {
    try Directory.open(name.lastIndex(of: "/").map { path(String(name[..<$0])) } ?? root)
  }

  private static func lastPart(of name: String) -> String { String(name.split(separator: "/").last ?? "") }

  /// Returns the archives' paths below the root, oldest first, by the sequence in the name.
  package func archives() throws -> [String] {
    try names(in: "target").filter { $0.hasSuffix(".fueki") }.sorted().map { "target/\($0)" }
  }

  /// Every file's and directory's path, kind, permissions and bytes.
  package func snapshot(of name: String) throws -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    try visit(name) { path, entry in
      all[path] = entry.kind == .file ? try read(path) : []
    }
    return all
  }

  /// Walks through a folder and all in it.
  package func visit(_ name: String, _ body: (String, DirectoryEntry) throws -> Void) throws {
    for entry in try Directory.open(path(name)).list() {
      let below = "\(name)/\(String(decoding: entry.name, as: UTF8.self))"
      try body(below, entry)
      if entry.kind == .directory { try visit(below, body) }
    }
  }

  package func copy(_ from: String, to: String) throws {
    let result = try BuiltBinary.run(program: "/bin/cp", ["-a", path(from), path(to)])
    guard result.status == 0 else { throw SystemError(code: EIO, call: "cp", path: path(to)) }
  }

  package func remove(_ name: String) throws { try folder(of: name).removeTree(Self.lastPart(of: name)) }
}

extension RunResult {
  /// Expects that the program ended with a status, and shows what it printed if it did not.
  @discardableResult
  package func expect(_ status: Int32?, sourceLocation: SourceLocation = #_sourceLocation) -> RunResult {
    if let status { #expect(self.status == status, "\(text)\(errors)", sourceLocation: sourceLocation) }
    return self
  }
}

/// The template of every machine, made once in a run of the tests.
package enum PreparedMachine {
  /// The folder; removed when the tests end.
  package static let root = Result { try make() }

  package static func binary() throws -> String {
    guard let path = BuiltBinary.path else {
      throw SystemError(code: ENOENT, call: "open", path: "fueki-backup")
    }
    return path
  }

  private static func make() throws -> String {
    let name = "fueki-command-tests-\(getpid())-\(UInt64.random(in: .min ... .max))"
    let root = "\(Environment.get("TMPDIR") ?? "/tmp")/\(name)"
    try Directory.makePrivateDirectories(root)
    atexit {
      _ = try? BuiltBinary.run(
        program: "/bin/rm", ["-rf", (try? PreparedMachine.root.get()) ?? "/nonexistent"])
    }
    let demo = try run(root, ["demo", "--keep", "\(root)/demo", "--transactions", "50"])
    guard demo.status == 0 else { throw Failed(run: demo) }
    for (old, new) in [("old-machine/data/fueki", "data"), ("old-machine.key", "keychain.pass")] {
      let moved = try BuiltBinary.run(program: "/bin/mv", ["\(root)/demo/\(old)", "\(root)/\(new)"])
      guard moved.status == 0 else { throw Failed(run: moved) }
    }
    let folder = try Directory.open(root)
    try folder.removeTree("demo")
    try folder.makeDirectory("target")
    try folder.createFile("passphrase").pwriteAll(Array(Machine.passphrase.utf8), at: 0)
    let made = try run(
      root,
      ["create", "--target", "\(root)/target", "-p", "\(root)/passphrase"]
        + ["--keychain-passphrase-from", "file:\(root)/keychain.pass"] + Machine.quick)
    guard made.status == 0 else { throw Failed(run: made) }
    return root
  }

  private static func run(_ root: String, _ arguments: [String]) throws -> RunResult {
    try BuiltBinary.run(
      arguments,
      environment: ["HOME": root, "FUEKI_STATE": "\(root)/state", "FUEKI_DATADIR": "\(root)/data"])
  }

  /// The preparation of the tests failed.
  package struct Failed: Error {
    package let run: RunResult

    package init(run: RunResult) { self.run = run }
  }
}
