import FuekiSystem
import TestSupport
import Testing

/// The friend who brings the sheets of two guardians to a new machine, and types what is on them.
@Suite(.enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"))
struct GuardiansFriend {
  private func machine() throws -> Machine {
    let machine = try Machine()
    try machine.run(
      ["guardians", "split", "--threshold", "2", "--count", "3", "--output", machine.path("guardians")],
      status: 0)
    try machine.remove("target")
    try machine.makeFolder("target")
    try machine.create(["--accept=loss", "--guardians", machine.path("guardians/guardians.txt")], status: 0)
    return machine
  }

  private func words(_ machine: Machine, _ member: Int) throws -> [String] {
    let text = try machine.text("guardians/guardian-\(member).txt")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("words: ") })
    return line.split(separator: " ").dropFirst().map(String.init)
  }

  @Test func `one command: words typed one by one, one of them wrong, and no passphrase`() throws {
    let machine = try machine()
    let session = Session(machine)
    try session.moveToNewMachine()
    let (first, second) = (try words(machine, 2), try words(machine, 3))
    try #require(first.count == 33)
    // The archive opens with a passphrase too, which the friend does not have.
    var answers = [("which do you have", "2")]
    for (place, word) in first.enumerated() {
      if place == 4 { answers.append(("word 5 of 33", word.prefix(3) + "qz" + word.dropFirst(3))) }
      answers.append((place == 4 ? "is not in the list" : "sheet 1 of 2, word \(place + 1) of 33", word))
    }
    answers.append(("sheet 2 of 2, word 1 of 33", second.joined(separator: " ")))
    let text = try session.type(
      answers + [
        ("new passphrase", "of the new machine, chosen now"), ("again", "of the new machine, chosen now"),
        // Guardians prove no signer: whose the archive is, the kit tells.
        ("type yes to trust it", ""),
      ],
      ["restore", machine.target] + Machine.quick)
    #expect(session.commands == 1 && session.prompts == 1 + 34 + 1 + 3)
    #expect(text.contains("Sheet 1 is right") && text.contains("Sheet 2 is right"), "\(text)")
    #expect(machine.exists("new-data/wallet.sqlite"))
    // The words are nowhere on the screen; a suggestion is the list's, not the sheet's.
    let shown = Set(text.split { !$0.isLetter }.map(String.init))
    #expect(second.filter(shown.contains).count < 12, "\(text)")
  }
}
