internal import FuekiSystem

/// Programs that use the places of files: they would miss a restored file, or overwrite it.
enum RunningPrograms {
  /// Lock files that programs leave below their folder while they run.
  private static let lockFiles = [".lock", "LOCK", "geth/LOCK", "wallets/.lock"]
  /// Files that are there only while a program runs, or after it was killed.
  private static let whileRunning = ["daemon", "bitcoind.pid", "litecoind.pid", "lightningd.pid"]

  /// Leaves the files of a plan in the archive with whose places programs work.
  static func hold(
    _ plan: inout PlacePlan, root: String, _ openPaths: () throws -> OpenPaths
  ) rethrows {
    guard plan.files.contains(where: \.isWritten) else { return }
    let open = try openPaths()
    var known: [String: [RunningProgram]] = [:]
    for index in plan.files.indices where plan.files[index].isWritten {
      var users: [RunningProgram] = []
      for folder in folders(of: plan.files[index], root) {
        let found = known[folder] ?? programs(in: folder, open)
        known[folder] = found
        for program in found where !users.contains(where: { $0.isSame(as: program) }) {
          users.append(program)
        }
      }
      guard !users.isEmpty else { continue }
      plan.files[index].users = users
      plan.files[index].fate = .waits(.inUse)
    }
  }

  /// The folders that a program would have open which works with a place.
  private static func folders(of planned: PlannedFile, _ root: String) -> [String] {
    let parent = PathParts("\(root)/\(planned.names.map(PathText.text).joined(separator: "/"))").folder
    let own = folder(of: planned.names).map { "\(root)/\($0)" } ?? planned.path
    // Behind a link, programs have what is open under its own path.
    let real = CurrentProcess.absolutePath(of: parent)
    return real == parent ? [own] : [own, real]
  }

  private static func programs(in folder: String, _ open: OpenPaths) -> [RunningProgram] {
    var found: [RunningProgram] = []
    func note(_ program: RunningProgram) {
      if !found.contains(where: { $0.isSame(as: program) }) { found.append(program) }
    }
    for entry in open.below(CurrentProcess.absolutePath(of: folder).pathBytes) {
      note(
        RunningProgram(name: entry.program, processID: entry.processID, path: PathText.text(entry.path)))
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
    return found
  }

  /// Returns a program's own folder among those that lead to a place; nil if several programs share them.
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

extension RunningProgram {
  fileprivate func isSame(as other: RunningProgram) -> Bool {
    processID == other.processID && name == other.name
  }
}

/// A program that works with a place.
public struct RunningProgram: Hashable, Sendable {
  /// The program's name.
  public let name: String
  /// The process number; nil if known only from a lock file.
  public let processID: Int32?
  /// The file that it has open or locked.
  public let path: String

  /// A program, and how it is known.
  public init(name: String, processID: Int32?, path: String) {
    self.name = name
    self.processID = processID
    self.path = path
  }
}
