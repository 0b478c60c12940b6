import TestSupport
import Testing

/// The user of a screen reader: TERM=dumb, no colour, and no cursor movement.
@Suite(.enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"))
struct ScreenReader {
  /// Checks that a text has no obstacles for a screen reader.
  private func expectReadable(_ text: String) {
    #expect(!text.contains("\u{1B}"), "\(text)")
    // A carriage return appears only before a line end.
    #expect(!text.contains("\r"), "\(text)")
    for box in ["│", "─", "█", "✓", "✗"] { #expect(!text.contains(box), "\(text)") }
  }

  @Test func `a backup, its state and a restore in plain lines`() throws {
    let machine = try Machine()
    let session = Session(machine, environment: ["TERM": "dumb"])
    let made = try session.type(
      [("archive's passphrase", Machine.passphrase)],
      ["create", "--target", machine.target] + machine.keychainSecret + Machine.quick, columns: 80)
    // Progress is printed at once, and then every ten seconds.
    #expect(made.contains("collecting") || made.contains("deriving keys"), "\(made)")
    let state = try session.type(["status", "--target", machine.target], columns: 80)
    try session.moveToNewMachine()
    let back = try session.type(
      [
        ("which archive", ""), ("archive's passphrase", "wrong"), ("(2 left)", Machine.passphrase),
        ("use the archive's passphrase", "yes"),
      ], ["restore", machine.target] + Machine.quick, columns: 80)
    for text in [made, state, back] { expectReadable(text) }
    #expect(session.commands == 3 && session.prompts == 5)
  }

  @Test func `on forty columns a table becomes lines that have their headings`() throws {
    let machine = try Machine()
    let session = Session(machine, environment: ["TERM": "dumb"])
    let list = try session.type(["list", machine.target], columns: 40)
    let state = try session.type(["status", "--target", machine.target], columns: 40)
    for text in [list, state] { expectReadable(text) }
    for line in ["id: ", "\n  created: 20", "\n  number: 1\n", "\n  size: "] {
      #expect(list.contains(line), "\(list)")
    }
    #expect(!list.contains("CREATED") && list.hasPrefix("id: "), "\(list)")
    for line in ["\nvault: ", "\n  verified: ", "\n  drilled: never\n", "\n  kit: never\n"] {
      #expect(state.contains(line), "\(state)")
    }
    // A wide terminal has the table.
    #expect(try session.type(["list", machine.target], columns: 120).hasPrefix("ID "))
  }

  @Test func `plain progress is one line in ten seconds, whatever is done meanwhile`() throws {
    let machine = try Machine()
    let clock = ContinuousClock()
    let start = clock.now
    let run = try machine.create(environment: ["FUEKI_PROGRESS": "plain"], status: 0)
    let most = 1 + Int((clock.now - start) / .seconds(10))
    let steps = ["collecting", "deriving keys", "writing", "reading back", "copying to"]
    let lines = run.errors.split(separator: "\n").filter { line in steps.contains { line.hasPrefix($0) } }
    #expect((1...most).contains(lines.count), "\(run.errors)")
  }
}
