internal import FuekiSystem
package import TestSupport
internal import Testing

extension Machine {
  /// Writes a configuration that has the local target and only one source.
  ///
  /// - Parameters:
  ///   - kind: the kind of the source.
  ///   - path: the wallet's path.
  ///   - passwordCommand: the command that prints the wallet's password.
  /// - Returns: the options that name the configuration.
  /// - Throws: if it cannot be written.
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
  ///
  /// - Parameters:
  ///   - folder: has the target.
  ///   - label: the beginning of its archives' names.
  ///   - settings: more lines of the vault.
  /// - Returns: the machine, with `home/x` as the source and `config.toml`.
  /// - Throws: if it cannot be made.
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
  ///
  /// - Throws: if the configuration cannot be written or the program cannot be started.
  package func create(fromOnly kind: String, at path: String, passwordCommand: String) throws -> RunResult {
    let settings = try configure(onlySource: kind, at: path, passwordCommand: passwordCommand)
    return try run(["create"] + settings + archiveSecret + Machine.quick)
  }
}
