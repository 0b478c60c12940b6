import FuekiSystem
import TestSupport
import Testing

/// A program that runs during the tests until they end.
///
/// A shell waits for their end, ends the program and removes its folder, even if the tests were killed.
struct Companion: Sendable {
  struct DidNotStart: Error {
    let errors: String
  }

  private static let script = """
    folder=$1; shift; parent=$PPID
    "$@" >"$folder/output" 2>"$folder/errors" & child=$!
    while kill -0 $parent && kill -0 $child; do sleep 0.2; done 2>/dev/null
    kill -9 $child; wait $child; rm -rf "$folder"
    """

  let folder: String

  /// Starts what is made of the folder that it may write in.
  init(_ command: (String) -> [String]) throws {
    let temporary = Environment.get("TMPDIR") ?? "/tmp"
    folder = "\(temporary)/fueki-companion-\(CurrentProcess.identifier)-\(UInt64.random(in: .min ... .max))"
    try Directory.makePrivateDirectories(folder)
    let nothing = try File.open("/dev/null")
    // Not the tests' own output either, because its reader would wait for this to end.
    let output = try Directory.open(folder).createFile("shell")
    var shell = ChildCommand(
      executable: "/bin/sh", arguments: ["sh", "-c", Self.script, "sh", folder] + command(folder),
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(folder)"].map { Array($0.utf8) })
    shell.streams = (nothing.descriptor, output.descriptor, output.descriptor)
    _ = try shell.start()
  }

  /// Returns the text that the program writes into a file once it is ready, without its line breaks.
  func text(in name: String, isReady: (String) -> Bool = { !$0.isEmpty }) throws -> String {
    // A machine that is busy may take its time.
    for _ in 0..<1200 {
      let text = read(name)
      if isReady(text) { return text.filter { $0 != "\n" } }
      if read("output").contains("Error:") || read("errors").contains("Error:") { break }
      SystemClock.sleep(seconds: 0.05)
    }
    throw DidNotStart(errors: read("output") + read("errors"))
  }

  private func read(_ name: String) -> String {
    let bytes = (try? File.open("\(folder)/\(name)").readAll(limit: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A node that is asked by JSON-RPC, by another program than the one under test.
struct NodeAccess: Sendable {
  static let python = "/usr/bin/python3"
  static let script = "\(SourceTree.path)/Tests/Nodes/rpc.py"

  let url: String

  /// Sends several questions, each as `["method", [parameters]]`, and returns the results.
  @discardableResult
  func call(_ questions: [String]) throws -> [JSONValue] {
    let question = "[\(questions.joined(separator: ","))]"
    let run = try BuiltBinary.run(
      program: Self.python, [Self.script, url], stdin: Array(question.utf8), timeout: 120)
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
    return try run.json().elements
  }

  /// Asks one thing.
  @discardableResult
  func call(_ method: String, _ parameters: String = "") throws -> JSONValue {
    try call([#"["\#(method)",[\#(parameters)]]"#]).first ?? .null
  }
}
