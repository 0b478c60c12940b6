import TestSupport
import Testing

/// A text in place of a path may be a seed phrase, so no error repeats it.
struct GivenWordTests {
  private static let phrase = ["abandon", "zebra", "legal", "winner"]

  /// The names of all commands, those of groups in two words.
  private static let commands: [[String]] = OfferedCommand.all.flatMap { command -> [[String]] in
    let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
    guard !below.isEmpty else { return [[command.commandName]] }
    return below.map { [command.commandName, $0.commandName] }
  }

  private func check(_ run: RunResult, _ what: [String]) {
    for word in Self.phrase {
      #expect(!run.text.contains(word) && !run.errors.contains(word), "\(what): \(run.text) \(run.errors)")
    }
  }

  @Test(arguments: commands)
  func `no command repeats the words of a phrase`(_ command: [String]) throws {
    let machine = try Machine(isPrepared: false)
    let phrases = [Self.phrase, [Self.phrase.joined(separator: " ")], [Self.phrase[0]]]
    for words in TestSeed.sample(phrases + phrases.map { $0 + ["--json"] }, of: 2) {
      let run = try machine.run(command + words)
      #expect(run.status != 0 || command == ["discover"], "\(command) \(run.text)")
      check(run, command + words)
    }
  }

  @Test func `a phrase in place of a command or a value is not repeated`() throws {
    let machine = try Machine(isPrepared: false)
    for arguments in [
      Self.phrase, [Self.phrase.joined(separator: " ")], ["key"] + Self.phrase,
      ["create", "--kdf-memory"] + Self.phrase, ["prune", "--keep-last", Self.phrase[0]],
      ["prune", "--yes=\(Self.phrase[0])"], ["restore", "--on-conflict", Self.phrase[1]],
      ["verify", "--depth", Self.phrase.joined(separator: " ")],
    ] {
      for more in [[], ["--json"]] {
        let run = try machine.run(arguments + more, status: 64)
        check(run, arguments)
      }
    }
  }

  @Test(arguments: [
    "Tr0ub4dor.and.3", "staple/battery", "123456789012", "deadbeef01deadbeef", "xprv9s21ZrQH143K3QTDL4LXw2F",
    "./xprv9s21ZrQH143K3QTDL4LXw2F", "/AGE-SECRET-KEY-1QQQQ", "q8zVmP2/x0aGmZ4uT1nYk3bC5dE7fG9hI0jK1lM2nO=",
    "/8zVmP2x0aGmZ4uT1nYk3bC5dE7fG9hI0jK1lM2nO3p=", "rclone::sftp,user=ada,pass=hunter2:backups",
  ])
  func `what may be a password or a key is not repeated either`(_ word: String) throws {
    let machine = try Machine(isPrepared: false)
    for arguments in [["restore", word], ["show", word], ["list", word], ["create", "--target", word]] {
      for more in [[], ["--json"]] {
        let run = try machine.run(
          arguments + more
            + ["--datadir", machine.data].filter { _ in arguments[0] != "list" && arguments[0] != "show" })
        #expect(run.status != 0, "\(arguments): \(run.text)")
        #expect(
          !run.text.contains(word) && !run.errors.contains(word), "\(arguments): \(run.text) \(run.errors)")
      }
    }
  }

  @Test func `a path, a number and a short id are repeated, since they help`() throws {
    let machine = try Machine()
    for name in ["./none.fueki", "/nowhere/none", "4711", "7c1e09ab", "none.fueki"] {
      let run = try machine.run(["restore", name, "--target", machine.target])
      #expect(run.status == 10 && run.errors.contains(name), "\(run.errors)")
    }
  }
}
