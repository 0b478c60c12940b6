package import TestSupport

extension Machine {
  /// Runs `create` with a configuration that has the local target and, as its only source, a wallet with a password.
  ///
  /// - Parameters:
  ///   - kind: the kind of the source.
  ///   - path: the wallet's path.
  ///   - passwordCommand: the command that prints the password.
  /// - Returns: the run.
  /// - Throws: if the configuration cannot be written or the program cannot be started.
  package func create(fromOnly kind: String, at path: String, passwordCommand: String) throws -> RunResult {
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
      password_command = "\(passwordCommand)"
      """, to: "config.toml")
    return try run(["create", "--config", self.path("config.toml")] + archiveSecret + Machine.quick)
  }
}
