internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// The rights that a restore, a drill, or putting files back needs before its first archive is read.
struct RestoreNeeds {
  /// The rights to archives, secrets and state.
  var base: SandboxNeeds
  /// The data directory that is written; nil if none is.
  var dataDirectory: String?
  /// The folder below which files are put back; nil if none are.
  var files: String?
  /// Whether that folder is created if it is missing.
  var makesFolder = false
  /// Whether folders in it may be links to other folders.
  var followsLinks = false
  /// The wallets that running nodes may copy.
  var wallets: [String] = []
  /// Whether the run writes nothing.
  var isPreview = false
  /// Whether files are only compared with those in place.
  var onlyCompares = false
  /// Reads the secrets that commands print: none runs in the sandbox.
  var readSecrets: () throws -> Void = {}
}

/// The sandbox of `restore`, `put-back` and `drill`, which a run enters once, before it reads an archive.
///
/// The process that parses archives writes to the directory that has the data directory, to the folder of the files,
/// and to the state. It opens no connection and starts no program. An ``Attendant`` resyncs for it.
final class RestoreSandbox: Sendable {
  /// Has the rights that this process gave up; nil if it gave up none.
  let attendant: Attendant?
  /// The configuration with the facts that are no longer accessible.
  private let configuration: Configuration

  private static let entered = Locked<RestoreSandbox?>(nil)

  /// The sandbox of this run; nil before it is entered.
  static var current: RestoreSandbox? { entered.withLock(\.self) }

  /// Ends the attendant, and removes the directories that were made for the sandbox and are still empty.
  static func leave() {
    entered.withLock { $0 = nil }
    SandboxFolders.removeEmpty()
  }

  /// Enters the sandbox, unless this run has.
  ///
  /// - Parameters:
  ///   - options: whether the user wants one.
  ///   - needs: the rights that remain.
  ///   - configuration: receives the facts that will no longer be accessible.
  ///   - console: receives warnings.
  ///   - resyncer: creates the resyncer in the attendant.
  /// - Returns: the run's sandbox, also if it has all rights.
  /// - Throws: errors from making folders, from reading secrets, and from the kernel.
  static func enter(
    _ options: SandboxOptions, _ needs: RestoreNeeds, _ configuration: inout Configuration,
    _ console: Console,
    resyncer: (@escaping () throws -> KeychainOpening) -> StoreResyncer? = { _ in nil }
  ) throws -> RestoreSandbox {
    if let current {
      configuration.settle(as: current.configuration)
      return current
    }
    let sandbox = try RestoreSandbox(options, needs, &configuration, console, resyncer)
    entered.withLock { $0 = sandbox }
    return sandbox
  }

  private init(
    _ options: SandboxOptions, _ needs: RestoreNeeds, _ configuration: inout Configuration,
    _ console: Console, _ resyncer: (@escaping () throws -> KeychainOpening) -> StoreResyncer?
  ) throws {
    var base = needs.base
    guard !options.noSandbox, base.obstacle == nil, Sandbox.version != nil || ReaderBox.canFilterCalls else {
      attendant = nil
      configuration = try options.enter(base, configuration, console)
      self.configuration = configuration
      return
    }
    attendant = try Attendant(resyncer: resyncer, copying: needs.wallets)
    try needs.readSecrets()
    let state = try Places.state().path
    if !needs.isPreview { try Directory.makePrivateDirectories(state) }
    var made: [MadeFolders] = []
    if let directory = needs.dataDirectory {
      var plain = directory
      while plain.count > 1, plain.hasSuffix("/") { plain.removeLast() }
      let above = OutputFile.folder(of: plain)
      if needs.isPreview {
        // Whether a data directory is there is seen in the directory above it.
        base.listable.append(above)
      } else {
        // Staged data, the previous wallet and what a stopped run left are all in it.
        made.append(try MadeFolders(above))
        base.writable.append(above)
      }
      base.dataDirectory = directory
    }
    if let folder = needs.files {
      if needs.makesFolder {
        made.append(try MadeFolders(folder))
      }
      let linked = needs.followsLinks ? LinkedFolders.below(folder) : []
      if needs.onlyCompares { base.readable += [folder] + linked } else { base.writable += [folder] + linked }
    }
    base.parents += made.compactMap(\.parent)
    SandboxFolders.keep(made)
    configuration = try options.enter(base, configuration, console)
    self.configuration = configuration
  }
}

/// The folders outside a folder to which links in it lead.
enum LinkedFolders {
  private static let depth = 3
  private static let most = 10_000

  /// Returns the targets of links to folders: in the folder itself, and in the folders two levels below.
  static func below(_ folder: String) -> [String] {
    var found: [String] = []
    var count = 0
    var level = [folder]
    for _ in 0..<depth {
      var next: [String] = []
      for path in level {
        for entry in (try? Directory.open(path).list()) ?? [] {
          count += 1
          guard count <= most, let name = entry.text else { continue }
          let place = "\(path)/\(name)"
          switch entry.kind {
          case .directory: next.append(place)
          case .symbolicLink where isOwn(place, notAbove: folder): found.append(place)
          default: continue
          }
        }
      }
      level = next
    }
    return found
  }

  /// Returns whether a link leads to a folder of this user's, other than one above the folder.
  ///
  /// Wine makes a link to the root, which would open everything.
  private static func isOwn(_ place: String, notAbove folder: String) -> Bool {
    guard let owner = try? Directory.open(place).status().owner, owner == CurrentUser.identifier
    else { return false }
    let (outer, inner) = (CurrentProcess.absolutePath(of: place), CurrentProcess.absolutePath(of: folder))
    return outer != "/" && ExactText(inner) != ExactText(outer) && !inner.isBelow(outer)
  }
}

/// The folders in which a collector reads other files of a wallet next to its source: a database's logs, and the like.
enum SourceNeighbours {
  /// Returns the folder of a file, and that of the real file if it is a link; none for a folder.
  static func folders(of path: String) -> Set<ExactText> {
    Set(
      [path, CurrentProcess.absolutePath(of: path)].compactMap { path in
        (try? FileStatus.of(path))?.kind == .file ? ExactText(PathParts(path).folder) : nil
      })
  }
}

/// The wallets that a node may copy for a sandboxed process.
enum NodeWalletFiles {
  private static let depth = 5
  private static let most = 10_000

  /// Returns the wallet files at or below these paths.
  ///
  /// They are found before the sandbox is entered: a process in it chooses among them, and names no other.
  static func below(_ paths: [String]) -> [String] {
    var found: [String] = []
    var count = 0
    var level = paths.map(CurrentProcess.absolutePath(of:))
    for _ in 0..<depth {
      var next: [String] = []
      for path in level {
        if NodeWallet.isName(path) { found.append(path) }
        for entry in (try? Directory.open(path).list()) ?? [] {
          count += 1
          guard count <= most else { return found }
          let inner = "\(path)/\(PathText.text(entry.name))"
          if entry.kind == .directory || NodeWallet.isName(inner) { next.append(inner) }
        }
      }
      level = next
    }
    return found
  }
}

/// The directories that were made because a sandbox would not permit it later.
enum SandboxFolders {
  private static let made = Locked<[MadeFolders]>([])

  /// Remembers directories for ``removeEmpty()``.
  static func keep(_ folders: [MadeFolders]) { made.withLock { $0 += folders } }

  /// Removes those that are still empty.
  static func removeEmpty() {
    let folders = made.withLock { made in
      defer { made = [] }
      return made
    }
    for folder in folders { folder.removeEmpty() }
  }
}
