import FuekiSystem
import TestSupport
import Testing

/// Imports that meet what is there already, that bring secrets, or that are cut short.
struct ForeignImportTests {
  private static let secrets = ["private-keys": 2.0, "secret-files": 1.0]

  private static func importing(
    _ machine: Machine, _ data: String, _ more: [String] = [], through: [String] = []
  ) throws -> RunResult {
    try machine.run(
      ["import", machine.path("wallet"), "--datadir", machine.path(data), "--json"] + machine.keychainSecret
        + Machine.quick + more, through: through)
  }

  private func machine() throws -> Machine {
    let machine = try Machine()
    try machine.write(ImportedFiles.electrum, to: "wallet")
    return machine
  }

  /// How many secrets of two sections a data directory's keychain has.
  private static func secrets(_ machine: Machine, _ data: String) throws -> [String: Double] {
    let run = try machine.run(
      [
        "create", "--target", machine.target, "--datadir", machine.path(data),
        "--include-private-keys",
        "--accept=synced-keys", "--json", "--dry-run",
      ] + machine.secrets, status: 0)
    let source = try run.json()["sources"]?[0]?["included"]
    return Dictionary(
      uniqueKeysWithValues: ["private-keys", "secret-files"].map { name in
        guard case .number(let count)? = source?[name] else { return (name, 0) }
        return (name, count)
      })
  }

  @Test(arguments: ["new", "data"])
  func `secrets go into the keychain, and nowhere else in the clear`(data: String) throws {
    let machine = try machine()
    let before = data == "new" ? [:] : try Self.secrets(machine, data)
    let run = try Self.importing(machine, data).expect(0)
    #expect(try run.json()["added"]?["private-keys"] == .number(2))
    let now = try Self.secrets(machine, data)
    for (name, count) in Self.secrets { #expect(now[name] == (before[name] ?? 0) + count) }
    for (path, bytes) in try machine.snapshot(of: data) {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"), "\(path)")
    }
    let again = try Self.importing(machine, data)
    #expect(try again.status == 0 && again.json()["added"] == .object([:]))
    #expect(try Self.secrets(machine, data) == now)
  }

  @Test func `a record that differs stops all, stays, or is replaced`() throws {
    let machine = try machine()
    #expect(try Self.importing(machine, "new").status == 0)
    try machine.write(
      ImportedFiles.electrum.replacing("rent", with: "food").replacing("salmon", with: "trout"), to: "wallet")
    let before = try machine.snapshot(of: "new")
    let dry = try Self.importing(machine, "new", ["--dry-run"])
    #expect(try dry.status == 0 && dry.json()["differing"]?["settings"] == .number(1))
    let failed = try Self.importing(machine, "new").expect(40)
    #expect(
      try failed.json()["conflicts"]?.elements.contains { $0["section"] == .string("settings") } == true)
    #expect(
      try machine.snapshot(of: "new").filter { !$0.key.contains("-shm") && !$0.key.contains("-wal") }
        == before.filter { !$0.key.contains("-shm") && !$0.key.contains("-wal") })
    let skipped = try Self.importing(machine, "new", ["--on-conflict", "skip"])
    #expect(try skipped.status == 0 && skipped.json()["differing"]?["private-keys"] == .number(1))
    // No time tells which of the labels is newer.
    let newer = try Self.importing(machine, "new", ["--on-conflict", "newer"])
    #expect(try newer.status == 0 && newer.json()["replaced"] == .object([:]))
    #expect(try Self.importing(machine, "new").status == 40)
    let replaced = try Self.importing(machine, "new", ["--on-conflict", "replace"])
    #expect(try replaced.status == 0 && replaced.json()["replaced"]?["settings"] == .number(1))
    #expect(try Self.importing(machine, "new").status == 0)
  }

  @Test func `where an address differs, the other one is said to be the imported file's`() throws {
    let machine = try Machine()
    let (there, other) = (
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED"
    )
    let arguments = ["import", machine.path("wallet"), "--datadir", machine.path("new")]
    try machine.write("name,address\nAlice,\(there)\n", to: "wallet")
    #expect(try machine.run(arguments).status == 0)
    try machine.write("name,address\nAlice,\(other)\n", to: "wallet")
    let told = "\"Alice\" is paid at \(there) here, and is paid at \(other) in the imported file\n"
    let stopped = try machine.run(arguments)
    #expect(stopped.status == 40 && stopped.errors.contains(told), "\(stopped.errors)")
    let dry = try machine.run(arguments + ["--dry-run"])
    #expect(dry.status == 0 && dry.errors.contains(told), "\(dry.errors)")
    let replaced = try machine.run(arguments + ["--on-conflict", "replace"])
    #expect(
      replaced.status == 0 && replaced.errors.contains("the imported one took its place; \(told)"),
      "\(replaced.errors)")
  }

  @Test func `an encrypted backup without its passphrase, or with another, is told apart from damage`() throws
  {
    let machine = try Machine()
    try machine.write(
      "FUEK"
        + #"{"version":"1.0.0","salt":"\#(String(repeating: "A", count: 43))=","checksum":"\#(String(repeating: "A", count: 43))=","encryptedData":"\#(String(repeating: "A", count: 40))"}"#,
      to: "wallet")
    #expect(try Self.importing(machine, "new").status == 12)
    try machine.write("wrong", to: "wrong")
    #expect(
      try Self.importing(machine, "new", ["--source-passphrase-from", machine.place("wrong")]).status == 12)
    #expect(!machine.exists("new"))
  }

  // MARK: cut short

  private static let places = ["/new", "/data", ".restoring-"]

  static let points: [FaultPoint] = {
    guard Strace.isPermitted, let machine = try? Machine() else { return [] }
    try? machine.write(ImportedFiles.electrum, to: "wallet")
    let points = try? Strace.points(machine, places: places) { try importing(machine, "new", through: $0) }
    return Strace.sample(points ?? [], decisive: 3, others: 3)
  }()

  static let pointsBeside: [FaultPoint] = {
    guard Strace.isPermitted, let machine = try? Machine() else { return [] }
    try? machine.write(ImportedFiles.electrum, to: "wallet")
    let points = try? Strace.points(machine, places: places) { try importing(machine, "data", through: $0) }
    return Strace.sample(points ?? [], decisive: 3, others: 3)
  }()

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)), arguments: points)
  func `a new data directory is there as a whole, or not at all`(_ point: FaultPoint) throws {
    let machine = try machine()
    try Self.importing(machine, "new", through: point.inject("signal=KILL")).expect(137)
    if machine.exists("new") { #expect(try Self.secrets(machine, "new") == Self.secrets) }
    try Self.importing(machine, "new").expect(0)
    #expect(try Self.secrets(machine, "new") == Self.secrets)
    #expect(try machine.names(in: ".").allSatisfy { !$0.contains(".restoring-") })
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)), arguments: pointsBeside)
  func `records are never there before their secrets`(_ point: FaultPoint) throws {
    let machine = try machine()
    let before = try Self.secrets(machine, "data")
    try Self.importing(machine, "data", through: point.inject("signal=KILL")).expect(137)
    let dry = try Self.importing(machine, "data", ["--dry-run"]).json()
    let now = try Self.secrets(machine, "data")
    if dry["equal"]?["wallets"] == .number(1) {
      for (name, count) in Self.secrets { #expect(now[name] == (before[name] ?? 0) + count) }
    }
    #expect(try Self.importing(machine, "data").status == 0)
    let after = try Self.secrets(machine, "data")
    for (name, count) in Self.secrets { #expect(after[name] == (before[name] ?? 0) + count) }
  }
}
