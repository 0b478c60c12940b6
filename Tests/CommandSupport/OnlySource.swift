internal import FuekiSystem
package import TestSupport
internal import Testing

extension Machine {
  /// Writes a configuration that has the local target and only one source, and returns the options that name it.
  package func configure(onlySource kind: String, at path: String, passwordCommand: String? = nil) throws
    -> [String]
  {
    try write(
      """
      [[target]]
      path = "\(target)"
      kind = "local"
      [[vault]]
      from = []
      [[source]]
      kind = "\(kind)"
      path = "\(path)"
      \(passwordCommand.map { "password_command = \"\($0)\"" } ?? "")
      """, to: "config.toml")
    return ["--config", self.path("config.toml")]
  }

  /// Makes a machine whose archives go to another one's target, with the passphrase in a file and one folder as a source.
  package static func sharing(_ folder: Machine, label: String, settings: String = "") throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/x"))
    try machine.write(
      """
      [[target]]
      path = "\(folder.target)"
      kind = "local"
      [[vault]]
      from = []
      label = "\(label)"
      passphrase_file = "\(machine.path("passphrase"))"
      kdf_memory = 64
      kdf_passes = 2
      \(settings)
      [[source]]
      kind = "file"
      path = "~/x"
      """, to: "config.toml")
    return machine
  }

  /// Runs `create` with a configuration whose only source is a wallet with a password.
  package func create(fromOnly kind: String, at path: String, passwordCommand: String) throws -> RunResult {
    let settings = try configure(onlySource: kind, at: path, passwordCommand: passwordCommand)
    return try run(["create"] + settings + archiveSecret + Machine.quick)
  }
}
