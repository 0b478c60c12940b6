import FuekiSystem
import TestSupport
import Testing

/// Changes of a vault's keys that are cut short.
extension CrashScenario {
  static let addKey = CrashScenario(
    name: "key add", changes: archiving, next: { createArguments($0) }, prepare: prepareUnattended,
    arguments: {
      ["key", "add", "latest", "--target", $0.target, "--identity", $0.path("identity")]
        + ["--recipient", recipient]
    }, isDone: { try $0.archives().count > $1.count })

  private static let newPassphrase = "another passphrase, as good as the first"

  static let changePassphrase = CrashScenario(
    name: "key change-passphrase", changes: archiving,
    // Cut short or done, the vault's passphrase is the one or the other.
    next: { ["create", "--target", $0.target, "--accept=new-passphrase"] + $0.secrets },
    prepare: { try $0.write(newPassphrase, to: "new-passphrase") },
    arguments: {
      ["key", "change-passphrase", "latest", "--target", $0.target]
        + ["--new-passphrase-from", $0.place("new-passphrase")] + $0.archiveSecret + Machine.quick
    }, isDone: { try $0.archives().count > $1.count })

  /// The change of a passphrase that backups take from a file: whenever it is cut short, a file opens the newest archive.
  static let changeStoredPassphrase = CrashScenario(
    name: "key change-passphrase --update-passphrase-file", folders: ["state", "target", "secrets"],
    // A child reads the vault's id from the store, for which SQLite makes its files.
    changes: archiving + ["secrets"], programChanges: "/data/wallet.sqlite-",
    next: { createStoredArguments($0) },
    prepare: { machine in
      try machine.write(newPassphrase, to: "new-passphrase")
      try Directory.makePrivateDirectories(machine.path("secrets"))
      try machine.write(Machine.passphrase, to: stored)
      try machine.write(
        """
        [[target]]
        path = "target"
        kind = "local"
        [[vault]]
        passphrase_file = "\(stored)"
        """, to: "config.toml")
    },
    arguments: { changeStoredArguments($0) },
    // If the new archive has its name, the next backup finishes the change; else the person repeats it.
    attempts: { machine, _ in
      let isPublished = ((try? machine.archives()) ?? []).count > 1
      return [isPublished ? createStoredArguments(machine) : changeStoredArguments(machine)]
    },
    isDone: { machine, before in
      try machine.archives().count > before.count && !machine.exists("\(stored).new")
        && machine.read(stored) == Array(newPassphrase.utf8)
    }, faultsLeft: { machine, _ in try faultsOfStoredPassphrase(machine) })

  private static let stored = "secrets/stored"

  /// Returns the faults of the files with the passphrase.
  ///
  /// One of them must open the newest archive, the configured one if that is the old archive, and the program must know
  /// it.
  private static func faultsOfStoredPassphrase(_ machine: Machine) throws -> [String] {
    let isNew = try machine.archives().count > 1
    let needed = Array((isNew ? newPassphrase : Machine.passphrase).utf8)
    let files = try [stored, "\(stored).new"].filter(machine.exists).map(machine.read)
    guard files.first == needed || (isNew && files.contains(needed)) else {
      return ["no file has the newest archive's passphrase"]
    }
    let status = try machine.run(["status", "--config", machine.path("config.toml")])
    return status.text.contains("does not open") ? ["status: \(status.text)"] : []
  }

  private static func changeStoredArguments(_ machine: Machine) -> [String] {
    [
      "key", "change-passphrase", "latest", "--update-passphrase-file", "--config",
      machine.path("config.toml"),
    ]
      + ["--new-passphrase-from", machine.place("new-passphrase")] + machine.archiveSecret + Machine.quick
  }

  private static func createStoredArguments(_ machine: Machine) -> [String] {
    ["create", "--config", machine.path("config.toml")] + machine.keychainSecret + Machine.quick
  }
}
