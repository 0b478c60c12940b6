internal import FuekiBackup
internal import FuekiSystem

/// The rights that a command still needs after it has read its options, its configuration and its secrets.
struct SandboxNeeds {
  /// The access that it needs to this machine's state.
  enum State {
    case nothing
    /// Read access, except for the signing keys in it.
    case read
    /// To read it all, and to write to it.
    case write
  }

  /// Archives as given by the user: a path, a short id, `latest`, or a target.
  var archives: [String] = []
  /// Where archives are looked up and compared.
  var targets: [Target] = []
  /// Whether they are searched, for a base or an earlier archive, even if every archive is a path.
  var searchesTargets = false
  /// Whether it judges whose archives are.
  var judgesArchives = false
  /// The trusted signers of options; nil for a command without them.
  var trust: TrustOptions?
  /// Files that are read, and folders with all in them.
  var readable: [String] = []
  /// Folders that are written.
  var writable: [String] = []
  /// Folders in which a new folder, which is writable, gets its name.
  var parents: [String] = []
  /// Folders that are listed.
  var listable: [String] = []
  /// A wallet's data directory: SQLite writes next to a database even for reading.
  var dataDirectory: String?
  /// Programs that it starts, and that stay in the sandbox.
  var programs: [String] = []
  var state = State.nothing
  /// Whether the state's directory is made if it is missing.
  var makesState = false
  /// Whether it may ask the person at the terminal once files are read.
  var asks = true
  /// Whether age's plugins provide keys.
  var hasPlugins = false

  /// The reason that the command needs programs and connections; nil if it needs none.
  var obstacle: SandboxReport.Absence? {
    if hasPlugins { return .plugins }
    let looksIntoTargets = searchesTargets || archives.isEmpty || !archives.allSatisfy(Self.isHere)
    let asksRemote =
      archives.contains(where: Self.isRemote) || looksIntoTargets && targets.contains { $0.kind == .rclone }
    return asksRemote ? .remote : nil
  }

  /// Returns the sandbox rules for these needs.
  func rules(_ configuration: Configuration) throws -> SandboxRules {
    var rules = SandboxRules()
    let names = archives.filter { !Self.isRemote($0) }
    let folders = targets.filter { $0.kind != .rclone }.map(\.path) + names.filter(Self.isFolder)
    for folder in folders {
      // A right to a folder goes all the way down: the home folder has more than archives in it.
      guard Self.containsHome(folder) else {
        rules.allow(.read, folder)
        continue
      }
      rules.allowReadingFiles(of: folder, where: Self.mayBeArchive)
    }
    for name in names where !folders.contains(where: { ExactText($0) == ExactText(name) }) {
      rules.allow(.read, name)
      guard Self.isHere(name) else { continue }
      rules.allowReadingFiles(of: Target(holding: name).path, where: Self.mayBeArchive)
    }
    for path in readable + (trust?.files(configuration) ?? []) { rules.allow(.read, path) }
    for path in writable + [dataDirectory].compactMap(\.self) { rules.allow(.write, path) }
    for path in parents { rules.allow(.moveFolders, path) }
    for path in listable { rules.allow(.list, path) }
    if !programs.isEmpty { rules.allowRunning(programs) }
    if asks { rules.allowTerminal() }
    allowState(in: &rules)
    return rules
  }

  private func allowState(in rules: inout SandboxRules) {
    let path = (try? Places.state())?.path
    switch state {
    case .nothing: return
    // Without a home there is no state to read or to write.
    case .read: if let path { rules.allowReadingFiles(of: path) { !$0.hasSuffix(".key") } }
    case .write: if let path { rules.allow(.write, path) }
    }
  }

  private static func isRemote(_ name: String) -> Bool { Target(path: name).kind == .rclone }

  private static func isFolder(_ path: String) -> Bool { (try? Directory.open(path)) != nil }

  /// Whether a name is a path of this machine, so that nothing is looked up in a target.
  static func isHere(_ name: String) -> Bool {
    isFolder(name) || name != "latest" && (try? File.openRegular(name)) != nil
  }

  private static func containsHome(_ folder: String) -> Bool {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return false }
    let (inner, outer) = (CurrentProcess.absolutePath(of: home), CurrentProcess.absolutePath(of: folder))
    return ExactText(inner) == ExactText(outer) || inner.isBelow(outer)
  }

  /// Returns whether a file next to archives may be one, by its name: sync clients hide unfinished downloads.
  private static func mayBeArchive(_ name: String) -> Bool {
    !name.hasPrefix(".") || name.contains(".fueki")
  }
}
