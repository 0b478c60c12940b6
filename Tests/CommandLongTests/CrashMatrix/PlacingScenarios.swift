import FuekiSystem
import TestSupport

/// Restores of other programs' files into a home: as part of a restore, and by `put-back`.
///
/// Wherever it is interrupted, each file is complete or absent, and the existing file remains, under its own name or as
/// the replaced one.
extension CrashScenario {
  static let puttingBack = [putBack, restoreFiles]

  /// The folder of the restored files.
  static let placingFolder = "home/Wallets"
  private static let small = Array("the wallet that the archive has".utf8)
  private static let older = Array("an older wallet".utf8)
  /// Two parts long.
  private static let large = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 11) }
  // Which programs run is looked up in as many files as there are, and faults are put at calls by their number.
  private static let placing: [String] = ["--on-conflict", "replace", "--accept=running-programs"]

  static let putBack = CrashScenario(
    name: "put-back", changes: [placingFolder, "state"], prepare: prepareFiles,
    arguments: {
      ["put-back", "--target", $0.target, "--identity", $0.path("identity")] + placing
    },
    isDone: { machine, _ in try holdsFiles(machine) },
    faultsLeft: { machine, _ in try filesLost(machine) })

  /// Only the calls of placing: the others are those of a restore without it.
  static let restoreFiles = CrashScenario(
    name: "restore --files", changes: restore.changes + [placingFolder], rerunStatuses: restore.rerunStatuses,
    prepare: prepareFiles,
    arguments: { restore.arguments($0) + ["--files", "home"] + placing },
    attempts: { machine, number in
      (restore.attempts?(machine, number) ?? []).map { arguments in
        arguments.contains("--resume") ? arguments : arguments + ["--files", "home"] + placing
      }
    },
    // The data is in place before the first of these calls, and what it holds is tried where nothing is put back.
    isDone: { machine, _ in
      let isResumable = try machine.names(in: "state").contains { $0.hasPrefix("restore-") }
      return try machine.exists("restored/wallet.sqlite") && !isResumable && holdsFiles(machine)
    },
    faultsLeft: { machine, _ in
      let lost = try filesLost(machine)
      return machine.exists("restored/wallet.sqlite") ? lost : lost + ["the data is not in place"]
    },
    counts: { $0.isPlaced })

  /// Prepares an archive of the wallet and of two files, one of which was removed since, and the other replaced by an
  /// older one.
  private static func prepareFiles(_ machine: Machine) throws {
    try prepareUnattended(machine)
    try Directory.makePrivateDirectories(machine.path(placingFolder))
    try machine.write(small, to: "\(placingFolder)/small.dat")
    try machine.write(large, to: "\(placingFolder)/large.dat")
    try succeed(
      machine,
      createArguments(machine)
        + ["--accept=synced-keys", "--from", "store", "--from", "file:\(machine.path(placingFolder))"])
    try machine.remove("\(placingFolder)/large.dat")
    try machine.write(older, to: "\(placingFolder)/small.dat")
  }

  private static func holdsFiles(_ machine: Machine) throws -> Bool {
    guard machine.exists("\(placingFolder)/large.dat"),
      try machine.read("\(placingFolder)/large.dat") == large,
      try machine.read("\(placingFolder)/small.dat") == small, try keptBeside(machine) == [older]
    else { return false }
    return try machine.names(in: "state").allSatisfy { !$0.hasPrefix("placing-") }
  }

  private static func keptBeside(_ machine: Machine) throws -> [[UInt8]] {
    try machine.names(in: placingFolder).filter { $0.contains(".replaced-") }
      .map { try machine.read("\(placingFolder)/\($0)") }
  }

  /// Returns the files that equal neither their earlier version nor the archive's.
  private static func filesLost(_ machine: Machine) throws -> [String] {
    var faults: [String] = []
    let now =
      try machine.exists("\(placingFolder)/small.dat") ? machine.read("\(placingFolder)/small.dat") : nil
    if now != small, now != older { faults.append("small is neither the old nor the new") }
    if try now == small && keptBeside(machine) != [older] { faults.append("the old small is not beside it") }
    if try machine.exists("\(placingFolder)/large.dat") && machine.read("\(placingFolder)/large.dat") != large
    {
      faults.append("large is there in part")
    }
    return faults
  }
}
