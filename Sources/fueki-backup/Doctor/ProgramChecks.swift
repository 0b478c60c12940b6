internal import FuekiBackup
internal import FuekiCrypto

/// Checks that the programs next to archives, which will receive people's secrets, are the original ones.
enum ProgramChecks {
  static func all(_ targets: [Target], _ trust: Trust) throws -> [Check] {
    let known = try ProgramTrust(try Places.state(), trust)
    return targets.flatMap { target in
      ProgramBeside.all(in: target).map { check($0, in: target, known) }
    }
  }

  private static func check(_ program: ProgramBeside, in target: Target, _ known: ProgramTrust) -> Check {
    let name = "program \(program.folder)"
    let replace = "run nothing there: remove the folder, then run \"fueki-backup kit bundle\" again"
    guard target.kind == .local, !target.isAppendOnly else {
      return .warning(
        name, "it lies where others can write, so they could replace it",
        remedy: "remove the folder; bundle it on a disk that you can unplug")
    }
    let page = program.pageDigest.map { ", \(ProgramBeside.page) \($0.hex)" } ?? ""
    let digest = (program.digest?.hex ?? "") + page
    switch known.judge(program) {
    case .known: return .ok(name, "as this machine put it there: SHA-256 \(digest)")
    case .signed: return .ok(name, "signed by one of your signers: SHA-256 \(digest)")
    case .faulty(let fault): return .failed(name, fault.rawValue, remedy: replace)
    case .replaced:
      return .failed(name, "it is not the program that this machine put there", remedy: replace)
    case .unknown:
      return .warning(
        name, "nothing shows who put it there: SHA-256 \(digest)",
        remedy: "compare that with your recovery kit; if it differs, remove the folder")
    }
  }
}
