internal import FuekiSystem

/// Programs that work with the places that files go to: they would not see what is put there, or write over it.
enum RunningPrograms {
  /// Lock files that programs leave below their folder while they run.
  private static let lockFiles = [".lock", "LOCK", "geth/LOCK", "wallets/.lock"]
  /// Files that are there only while a program runs, or after it was killed.
  private static let whileRunning = ["daemon", "bitcoind.pid", "litecoind.pid", "lightningd.pid"]

  /// Those that work with a place of a plan.
  static func found(_ plan: PlacePlan, root: String) -> [RunningProgram] {
    var folders: [String] = []
    for planned in plan.files {
      switch planned.fate {
      case .place, .beside, .replace: break
      case .present, .waits: continue
      }
      let path = folder(of: planned.names).map { "\(root)/\($0)" } ?? planned.path
      if !folders.contains(path) { folders.append(path) }
      // Behind a link, programs have what is open under its own path.
      let parent = PathParts(
        "\(root)/\(planned.names.map(PathText.text).joined(separator: "/"))"
      ).folder
      let real = CurrentProcess.absolutePath(of: parent)
      if real != parent, !folders.contains(real) { folders.append(real) }
    }
    guard !folders.isEmpty else { return [] }
    let open = OpenPaths()
    var found: [RunningProgram] = []
    func note(_ program: RunningProgram) {
      let isKnown = found.contains { $0.processID == program.processID && $0.name == program.name }
      if !isKnown { found.append(program) }
    }
    for folder in folders {
      for entry in open.below(CurrentProcess.absolutePath(of: folder).pathBytes) {
        note(
          RunningProgram(
            name: entry.program, processID: entry.processID, path: PathText.text(entry.path)
          ))
      }
      for name in lockFiles {
        guard let file = try? File.openRegular("\(folder)/\(name)", symbolicLinks: .refuse),
          let holder = try? file.lockHolder()
        else { continue }
        note(RunningProgram(name: "", processID: holder == 0 ? nil : holder, path: file.path))
      }
      for name in whileRunning
      where (try? File.openRegular("\(folder)/\(name)", symbolicLinks: .refuse)) != nil {
        note(RunningProgram(name: "", processID: nil, path: "\(folder)/\(name)"))
      }
    }
    return found
  }

  /// The folder that one program has for itself, among those that lead to a place; nil where several share them.
  static func folder(of names: [[UInt8]]) -> String? {
    let folders = names.dropLast().map { String(decoding: $0, as: UTF8.self) }
    guard let first = folders.first else { return nil }
    let depth =
      switch first {
      case ".config", "snap": 2
      case ".local", ".var": 3
      default: first.hasPrefix(".") ? 1 : folders.count
      }
    return folders.count < depth ? nil : folders.prefix(depth).joined(separator: "/")
  }
}
