import FuekiSystem
import TestSupport
import Testing

/// Files that are being put back when the program is killed, at each of its calls.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct InterruptedPlacingTests {
  private static let large = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 11) }
  private static let files = [".electrum/wallets/default_wallet", ".bitcoin/wallets/one/wallet.dat"]

  /// A machine with an archive of two programs' files, whose own it is, and an older file in one place.
  private static func machine() throws -> Machine { try Machine(copying: base.get().root) }

  private static let base = Result { () throws -> Machine in
    let machine = try Machine(isPrepared: false)
    for name in ["home/.electrum/wallets", "home/.bitcoin/wallets/one", "new-home/.electrum/wallets"] {
      try Directory.makePrivateDirectories(machine.path(name))
    }
    try machine.write(ImportedFiles.electrum, to: "home/\(files[0])")
    try machine.write(large, to: "home/\(files[1])")
    try machine.write("older", to: "new-home/\(files[0])")
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys"]
        + ["--from", "electrum:~/.electrum/wallets", "--from", "file:~/.bitcoin/wallets"]
        + machine.archiveSecret
        + Machine.quick, status: 0)
    return machine
  }

  private static func putBack(_ machine: Machine, through: [String] = []) throws -> RunResult {
    try machine.run(
      ["put-back", "--on-conflict", "replace", "--target", machine.target] + machine.archiveSecret,
      through: through, environment: ["HOME": machine.path("new-home")])
  }

  private static let points: [FaultPoint] = {
    guard let machine = try? machine() else { return [] }
    return
      (try? Strace.points(
        machine, places: ["/new-home", "/state"],
        calls: [
          "pwrite64", "fsync", "renameat", "renameat2", "openat", "unlinkat", "mkdirat", "linkat", "fchmod",
          "utimensat",
        ]
      ) { try putBack(machine, through: $0) })?.filter(isSteady) ?? []
  }()

  /// Whether each run makes the call as often: the look for programs that run opens another number of files each time.
  private static func isSteady(_ point: FaultPoint) -> Bool { point.call != "openat" }

  @Test func `the calls of placing are found`() {
    #expect(
      Set(Self.points.map(\.call)).isSuperset(of: [
        "pwrite64", "fsync", "renameat2", "renameat", "linkat", "mkdirat", "utimensat",
      ]))
  }

  @Test(arguments: Strace.sample(points, decisive: 4, others: 3))
  func `a file is there whole or not at all, and the next run ends it`(_ point: FaultPoint) throws {
    let machine = try Self.machine()
    try Self.putBack(machine, through: point.inject("signal=KILL")).expect(137)
    let first = try machine.read("new-home/\(Self.files[0])")
    #expect(first == Array("older".utf8) || first == Array(ImportedFiles.electrum.utf8))
    if machine.exists("new-home/\(Self.files[1])") {
      #expect(try machine.read("new-home/\(Self.files[1])") == Self.large)
    }
    try Self.putBack(machine).expect(0)
    var old = 0
    for (path, bytes) in try machine.snapshot(of: "new-home") where !path.hasSuffix("/") {
      if path.hasSuffix(Self.files[0]) { #expect(bytes == Array(ImportedFiles.electrum.utf8)) }
      if path.hasSuffix(Self.files[1]) { #expect(bytes == Self.large) }
      #expect(!path.hasSuffix(".part"), "\(path)")
      if path.contains(".replaced-") {
        old += 1
        #expect(bytes == Array("older".utf8))
      }
    }
    #expect(old == 1)
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix("placing-") })
  }

  /// The same as part of a restore, into a new data directory.
  private static func restore(
    _ machine: Machine, _ arguments: [String], through: [String] = []
  ) throws -> RunResult {
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    return try machine.run(
      ["restore", "--target", machine.target, "--no-resync", "--datadir", machine.path("new-data")]
        + machine.secrets + arguments, through: through, environment: ["HOME": machine.path("new-home")])
  }

  private static let begun = ["latest", "--files", "home", "--on-conflict", "replace"]

  private static let restorePoints: [FaultPoint] = {
    guard let machine = try? machine() else { return [] }
    return
      (try? Strace.points(
        machine, places: ["/new-home"],
        calls: ["pwrite64", "fsync", "renameat", "renameat2", "openat", "mkdirat", "linkat", "utimensat"]
      ) { try restore(machine, begun, through: $0) })?.filter(isSteady) ?? []
  }()

  @Test func `the calls of placing in a restore are found`() {
    #expect(Set(Self.restorePoints.map(\.call)).isSuperset(of: ["pwrite64", "fsync", "renameat2", "linkat"]))
  }

  @Test(arguments: Strace.sample(restorePoints, decisive: 3, others: 2))
  func `a restore that is killed while it puts files back goes on with that`(_ point: FaultPoint) throws {
    let machine = try Self.machine()
    try Self.restore(machine, Self.begun, through: point.inject("signal=KILL")).expect(137)
    try Self.restore(machine, ["--resume"]).expect(0)
    #expect(try machine.read("new-home/\(Self.files[0])") == Array(ImportedFiles.electrum.utf8))
    #expect(try machine.read("new-home/\(Self.files[1])") == Self.large)
    let old = try machine.snapshot(of: "new-home").filter { $0.key.contains(".replaced-") }
    #expect(old.map(\.value) == [Array("older".utf8)])
    #expect(
      try machine.names(in: "state").allSatisfy { !$0.hasPrefix("placing-") && !$0.hasPrefix("restore-") })
    #expect(try Self.restore(machine, ["--resume"]).status == 10)
  }
}
