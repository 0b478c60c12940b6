internal import FuekiSources
public import FuekiSystem

/// Searches for programs' wallets.
///
/// It reads names, sizes and times and, for some files, a beginning that cannot contain secrets. It opens no
/// wallet.
public struct WalletDiscovery: Sendable {
  private let home: String
  /// Directories moved from the home, by the XDG variables.
  private let moved: [(folder: String, place: String)]
  private let disks: [String]

  /// Directories in the home to which people save files.
  private static let savedInto = ["Downloads", "Documents", "Desktop"]
  /// The depth below a disk's root at which people keep files.
  private static let diskDepth = 2

  /// - home: the home directory to search.
  /// - moved: directories below the home, such as ".config", with another location.
  /// - disks: directories to search for saved files and for homes' directories.
  public init(home: String, moved: [(folder: String, place: String)] = [], disks: [String] = []) {
    self.home = home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
    self.moved = moved
    self.disks =
      disks.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      + ["\(self.home)/\(WalletProgram.ownFolder)"]
  }

  /// The thoroughness of the search.
  private enum Look {
    /// Also checks use by programs, sizes, and encryption.
    case close(FilesInUse)
    /// Checks only that the files exist.
    case quick
  }

  /// Searches for wallets.
  public func run() -> DiscoveredWallets { run(.close(FilesInUse())) }

  /// Searches for wallets without checking which programs run.
  ///
  /// Sizes, times, uses and encryption stay unknown. It opens a file only if its name does not identify a
  /// wallet.
  public func runQuickly() -> DiscoveredWallets { run(.quick) }

  private func run(_ look: Look) -> DiscoveredWallets {
    var found = DiscoveredWallets()
    // By bytes: two names that Unicode considers equal are two wallets.
    var seen: Set<[UInt8]> = []
    for program in WalletProgram.all {
      let uses = uses(of: program, look, &found.unreadable)
      for place in program.places {
        for (root, pattern) in patterns(of: place, program) {
          let paths = PlacePattern(pattern).paths(below: root, unreadable: &found.unreadable)
          for path in paths {
            // A directory can have several names: a snap's current version is a link to it.
            let key = "\(program.id) \(place.wallets) \(CurrentProcess.absolutePath(of: path))"
            guard seen.insert(key.pathBytes).inserted else { continue }
            if let wallets = self.look(
              at: path, in: "\(root)/\(pattern)", place, program, uses, look, &found.unreadable)
            {
              found.places.append(wallets)
            }
          }
        }
      }
    }
    addNamed(to: &found, look)
    return found
  }

  /// Adds the files in the user's own folder for wallets that have the name of a known format, which no program has
  /// there.
  private func addNamed(to found: inout DiscoveredWallets, _ look: Look) {
    let folder = "\(home)/\(WalletProgram.ownFolder)"
    let known = Set(found.places.flatMap(\.wallets).map(\.pathBytes))
    for path in PlacePattern("**/*").paths(below: folder, unreadable: &found.unreadable) {
      let name = PathParts(path).name
      guard Self.isWallet(path), (try? FileStatus.of(path, symbolicLinks: .refuse).kind) == .file,
        // A wallet that is a directory has its files.
        !Self.isKnown(path, known),
        let kind = CollectorKind.all.first(where: { !$0.programs.isEmpty && $0.fileNames.isWallet(name) }),
        let title = kind.programs.first?.title
      else { continue }
      let place = WalletPlace(path: path, kind: kind.name, sealing: .hidden)
      let program = WalletProgram(id: kind.name, title: title, places: [place])
      if let wallets = self.look(at: path, in: path, place, program, [], look, &found.unreadable) {
        found.places.append(wallets)
      }
    }
  }

  /// Whether a path is one of some wallets, or in one that is a directory.
  private static func isKnown(_ path: String, _ known: Set<[UInt8]>) -> Bool {
    var path = path
    while path.hasPrefix("/"), path != "/" {
      if known.contains(path.pathBytes) { return true }
      path = PathParts(path).folder
    }
    return false
  }

  private func uses(of program: WalletProgram, _ look: Look, _ unreadable: inout Set<ExactText>) -> [FileUse]
  {
    guard case .close(let open) = look else { return [] }
    var uses: [FileUse] = []
    for lock in program.locks {
      for (root, pattern) in patterns(lock.path, of: program) {
        uses += PlacePattern(pattern).paths(below: root, unreadable: &unreadable).compactMap {
          open.use(of: $0, isSign: lock.sign == .exists)
        }
      }
    }
    return Self.unique(uses)
  }

  /// Returns the possible locations of a place: in the home, in Flatpak's and Snap's homes, and on disks.
  private func patterns(of place: WalletPlace, _ program: WalletProgram) -> [(root: String, pattern: String)]
  {
    guard place.isExport else { return patterns(place.path, of: program) }
    let depths = (0...Self.diskDepth).map { String(repeating: "*/", count: $0) + place.path }
    return Self.savedInto.map { (home, "\($0)/\(place.path)") }
      + disks.flatMap { disk in depths.map { (disk, $0) } }
  }

  private func patterns(_ path: String, of program: WalletProgram) -> [(root: String, pattern: String)] {
    var all = [(home, path)]
    for (folder, place) in moved where path.hasPrefix("\(folder)/") {
      all = [(place, String(path.dropFirst(folder.utf8.count + 1)))]
    }
    all += program.paths(of: path).dropFirst().map { (home, $0) }
    return all + disks.map { ($0, path) }
  }

  private func look(
    at path: String, in whole: String, _ place: WalletPlace, _ program: WalletProgram, _ uses: [FileUse],
    _ look: Look,
    _ unreadable: inout Set<ExactText>
  ) -> FoundWallets? {
    guard !place.wallets.isEmpty || place.isWallet(path) else { return nil }
    var (wallets, patterns) = ([path], [path])
    if !place.wallets.isEmpty {
      (wallets, patterns) = ([], [])
      for pattern in place.wallets {
        let found = PlacePattern(pattern).paths(below: path, unreadable: &unreadable).filter {
          Self.isWallet($0) && place.isWallet($0) && !Self.leadsElsewhere($0, place)
        }
        wallets += found
        if !found.isEmpty { patterns.append("\(path)/\(pattern)") }
      }
    }
    var size = FolderSize()
    if case .quick = look { size.isEnoughWithContent = true }
    for wallet in wallets { size.add(wallet, &unreadable) }
    let kind = CollectorKind.all.contains { $0.name == place.kind } ? place.kind : "file"
    // An empty directory is not a wallet. An empty file is one that was lost, where nothing else has its name.
    let isLost =
      place.wallets.isEmpty && !place.isExport && kind != "file"
      && !PlacePattern.isPattern(PathParts(place.path).name)
    guard size.fileCount > 0, size.byteCount > 0 || isLost else { return nil }
    var found = FoundWallets(
      program: program.id, title: program.title, kind: kind, path: path,
      sources: kind == "file" ? patterns : [place.isOfFolder ? Self.folder(of: whole) : path],
      wallets: wallets.sorted(), byteCount: size.byteCount,
      changed: size.changed, uses: uses, dangers: place.dangers(of: wallets))
    guard case .close(let open) = look else { return found }
    found.encryption = .of(wallets.map(place.sealing.encryption))
    found.uses = Self.unique(uses + wallets.compactMap { open.use(of: $0) })
    return found
  }

  /// The folder before the first `*` of a pattern.
  private static func folder(of pattern: String) -> String {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return String(
      decoding: Array(
        parts.prefix { !$0.contains(UInt8(ascii: "*")) }.joined(separator: [UInt8(ascii: "/")])),
      as: UTF8.self)
  }

  /// Temporary files of programs and editors next to wallets are not wallets, and neither are public keys.
  private static func isWallet(_ path: String) -> Bool {
    let name = PathParts(path).name
    return !name.hasSuffix("~") && !name.hasSuffix(".pub") && !name.hasSuffix(".lock")
      && !name.contains(".tmp.")
  }

  /// Whether a name in a wallets' directory leads to a directory that the place's source would not walk.
  ///
  /// Collectors follow no links inside a directory, and some enter no subdirectories: a link to `/` is not a
  /// wallet of 4 GiB.
  private static func leadsElsewhere(_ path: String, _ place: WalletPlace) -> Bool {
    guard let status = try? FileStatus.of(path), status.kind == .directory else { return false }
    let reach = (try? CollectorKind(named: place.kind))?.reach ?? .tree
    let isLink = (try? FileStatus.of(path, symbolicLinks: .refuse).kind) == .symbolicLink
    return isLink || reach != .tree
  }

  private static func unique(_ uses: [FileUse]) -> [FileUse] {
    var seen: Set<FileUse> = []
    return uses.filter { seen.insert($0).inserted }
  }
}

/// The size of a file or a directory.
struct FolderSize {
  private(set) var byteCount: UInt64 = 0
  private(set) var fileCount = 0
  private(set) var changed: FileTime?
  /// Whether the first byte ends the search, so that the result is incomplete.
  var isEnoughWithContent = false

  private static let depthLimit = 16
  private static let fileLimit = 1 << 20

  private var isEnough: Bool { isEnoughWithContent && byteCount > 0 }

  /// Adds a path with its contents.
  ///
  /// Links inside directories are not followed.
  mutating func add(_ path: String, _ unreadable: inout Set<ExactText>) {
    guard !isEnough, let status = PathStatus.of(path, &unreadable) else { return }
    guard status.kind == .directory else {
      if status.kind == .file { add(status) }
      return
    }
    do {
      try Directory.open(path).walk { folder, entry, path in
        guard fileCount < Self.fileLimit, !isEnough else { return false }
        if entry.kind == .file, let status = try? folder.status(of: entry.name) { add(status) }
        return path.count <= Self.depthLimit
      } unopened: { _, error in
        throw error
      }
    } catch is Interrupted {
      // The search ends with what it has.
    } catch {
      unreadable.insert(ExactText(path))
    }
  }

  private mutating func add(_ status: FileStatus) {
    byteCount += status.size
    fileCount += 1
    changed = max(changed ?? status.modificationTime, status.modificationTime)
  }
}

/// The wallets found on a machine.
public struct DiscoveredWallets: Sendable {
  /// The places with wallets, in the order of the table of programs.
  public internal(set) var places: [FoundWallets] = []
  /// Directories that could not be read.
  public internal(set) var unreadable: Set<ExactText> = []
}

/// A program's wallets in one place, as far as known without opening them.
public struct FoundWallets: Sendable {
  /// The program's name in JSON.
  public let program: String
  /// The program's name for people.
  public let title: String
  /// The kind of source for them.
  public let kind: String
  /// The place: a file or a directory.
  public let path: String
  /// The paths for sources that collect them all.
  ///
  /// If a directory has other files too, names contain `*`.
  public let sources: [String]
  /// The paths of the wallets.
  public let wallets: [String]
  /// Whether they are encrypted by their program.
  public internal(set) var encryption = WalletEncryption.unknown
  /// Their total size in bytes.
  public let byteCount: UInt64
  /// The latest modification time.
  public let changed: FileTime?
  /// Signs that the program is running; empty if there are none.
  public internal(set) var uses: [FileUse]
  /// The dangers of a copy.
  public let dangers: [WalletDanger]
}
