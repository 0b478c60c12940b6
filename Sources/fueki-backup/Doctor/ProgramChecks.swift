internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// Checks that the programs next to archives, which will receive people's secrets, are the original ones.
enum ProgramChecks {
  static func all(_ targets: [Target], _ trust: Trust) throws -> [Check] {
    let known = try ProgramTrust(try Places.state(), trust)
    return targets.flatMap { target in
      let programs = ProgramBeside.all(in: target).map { check($0, in: target, known) }
      return programs + pages(in: target, known) + StrayPages.all(in: target).map(stray)
    }
  }

  /// Checks the pages that lead people to a program.
  private static func pages(in target: Target, _ known: ProgramTrust) -> [Check] {
    guard target.kind != .rclone else { return [] }
    return [StartHere.textName, StartHere.htmlName].compactMap { page in
      let path = "\(target.path)/\(page)"
      guard let bytes = try? File.openRegular(path).readAll(limit: 1 << 20) else {
        guard (try? FileStatus.of(path)) != nil else { return nil }
        return .failed(
          "page \(path)", "it is not a file that can be read",
          remedy: "remove it, then run \"fueki-backup kit bundle\" again")
      }
      if known.knows(page: bytes) { return .ok("page \(path)", "as this machine wrote it") }
      return .warning(
        "page \(path)", "this machine did not write it, or another user changed it",
        remedy: "run \"fueki-backup kit bundle\" again, which replaces it")
    }
  }

  private static func stray(_ path: String) -> Check {
    .warning(
      "page \(GivenWord.shown(path))",
      "\"kit bundle\" did not put it there, and it opens like a page or a program",
      remedy: "do not open it, and remove it if it is not yours")
  }

  private static func check(_ program: ProgramBeside, in target: Target, _ known: ProgramTrust) -> Check {
    let name = "program \(program.folder)"
    let replace = "run nothing there: remove the folder, then run \"fueki-backup kit bundle\" again"
    guard target.kind == .local, !target.isAppendOnly else {
      return .warning(
        name, "others can write to its folder, so they could replace it",
        remedy: "remove the folder. Bundle it on a disk that you can unplug")
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
        remedy: "compare that with your recovery kit. If it differs, remove the folder")
    }
  }
}
