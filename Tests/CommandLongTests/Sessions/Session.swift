import FuekiSystem
import TestSupport
import Testing

/// One user's session at a terminal, with every command and every answer counted.
final class Session {
  let machine: Machine
  /// The machine that the person sits at now.
  var environment: [String: String]
  private(set) var commands = 0
  private(set) var prompts = 0

  init(_ machine: Machine, environment: [String: String] = [:]) {
    self.machine = machine
    self.environment = ["TERM": "xterm-256color", "NO_COLOR": ""].merging(environment) { $1 }
  }

  /// Runs the program on a terminal, which must request exactly these answers, in this order.
  ///
  /// Each answer has the question's text and the typed text. Returns the whole output of the terminal, with lines that
  /// end in a newline.
  func type(
    _ answers: [(String, String)], _ arguments: [String], ends status: Int32 = 0, columns: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    commands += 1
    prompts += answers.count
    let run = try machine.type(
      answers, arguments,
      environment: environment.merging(columns > 0 ? ["TYPIST_COLUMNS": "\(columns)"] : [:]) { $1 })
    let text = run.text.replacing("\r\n", with: "\n")
    #expect(run.status == status, "\(arguments): \(text)", sourceLocation: sourceLocation)
    var rest = text[...]
    for (question, _) in answers {
      let range = rest.firstRange(of: question)
      #expect(range != nil, "\(question) was not asked: \(text)", sourceLocation: sourceLocation)
      if let range { rest = rest[range.upperBound...] }
    }
    return text
  }

  /// The same with nothing to answer.
  func type(
    _ arguments: [String], ends status: Int32 = 0, columns: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    try type([], arguments, ends: status, columns: columns, sourceLocation: sourceLocation)
  }

  /// Runs the program unattended: from a timer, or in CI.
  func run(
    _ arguments: [String], ends status: Int32 = 0, _ more: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    commands += 1
    let run = try machine.run(arguments, environment: environment.merging(more) { $1 })
    #expect(
      run.status == status, "\(arguments): \(run.text) \(run.errors)", sourceLocation: sourceLocation)
    return run
  }

  /// Another machine, which knows nothing, with an empty home.
  func moveToNewMachine() throws {
    try machine.makeFolder("new-home")
    for (name, value) in [
      ("HOME", "new-home"), ("FUEKI_STATE", "new-state"), ("FUEKI_DATADIR", "new-data"),
    ] { environment[name] = machine.path(value) }
  }
}

extension Machine {
  /// Makes a folder with those above it.
  func makeFolder(_ name: String) throws { try Directory.makePrivateDirectories(path(name)) }
}
