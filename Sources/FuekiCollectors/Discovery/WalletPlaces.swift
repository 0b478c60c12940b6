public import FuekiSources
public import FuekiSystem

/// The places in a home directory to which an archive's files may be put back.
///
/// Hidden names, and directories such as `bin` or `snap`, belong to programs. Many programs execute or obey
/// the files there, and no list of them is complete. Only the places declared for wallets in the table of
/// programs (``WalletProgram/all``) are therefore allowed, and only the files of a wallet: by their names, and where
/// the table recognises wallets by their contents, by these. Elsewhere people keep documents: their names decide whether
/// they are put back into any folder, into a new one, or only after a question.
public struct WalletPlaces: Sendable {
  /// A pattern of the table.
  private struct Declared {
    let pattern: PlacePattern
    /// Whether the wallet's name is fixed, so that nothing else has it.
    let hasFixedName: Bool
    /// Whether a file counts only if its content is a wallet's.
    let needsContent: Bool
  }

  private let declared: [Declared]
  /// Directories in which a wallet file may have any name without a dot.
  private let folders: [PlacePattern]

  /// - home: the absolute path.
  /// - moved: directories below the home, such as ".config", with another location, as in
  ///   ``WalletDiscovery``.
  public init(home: String, moved: [(folder: String, place: String)] = []) {
    let below: (String) -> [String] = { path in
      [path]
        + moved.compactMap { folder, place -> String? in
          guard path.hasPrefix("\(folder)/"), place.hasPrefix("\(home)/") else { return nil }
          return "\(place.dropFirst(home.utf8.count + 1))\(path.dropFirst(folder.utf8.count))"
        }
    }
    let programs = WalletProgram.all
    let patterns: (WalletProgram, [String], Bool) -> [Declared] = { program, paths, needsContent in
      paths.flatMap { path in
        let hasFixedName = !PlacePattern.isPattern(PathParts(path).name)
        let own = ["\(WalletProgram.ownFolder)/\(path)"]
        return (program.paths(of: path).flatMap(below) + own).map {
          Declared(pattern: PlacePattern($0), hasFixedName: hasFixedName, needsContent: needsContent)
        }
      }
    }
    declared = programs.flatMap { program in
      patterns(program, program.namedWalletPaths + program.beside, false)
        + patterns(program, program.recognisedWalletPaths, true)
    }
    folders = programs.flatMap { program in
      program.plainNamesIn.flatMap { program.paths(of: $0).flatMap(below) }.map { PlacePattern($0) }
    }
  }

  /// Whether a file may be put back to a place.
  ///
  /// - Parameters:
  ///   - names: the directories below the home, and the file's name.
  ///   - content: the kind of the file's content.
  /// - Returns: ``HomeAnswer/closed`` for a program's place that is not declared for wallets. Elsewhere the name
  ///   decides how far the file is open.
  public func answer(_ names: [[UInt8]], _ content: PlacedContent) -> HomeAnswer {
    guard let name = names.last else { return .closed }
    if isDeclared(names, content) || content != .other && isPlain(name, in: names.dropLast()) { return .open }
    guard !Self.isOfPrograms(names) else { return .closed }
    guard KeptNames.allow(names) else { return .own(folder: KeptNames.newFolder(of: names)) }
    return KeptNames.isObeyedByNoTool(name) ? .open : .newFolder
  }

  /// Whether a place is for a wallet, or for a file that belongs to one.
  private func isDeclared(_ names: [[UInt8]], _ content: PlacedContent) -> Bool {
    guard let name = names.last else { return false }
    // A database's journal is no database by itself.
    let database = PassingFiles.database(ofLog: name).map { Array(names.dropLast()) + [$0] }
    return Self.owners(of: names).contains { owner in
      let isWallet = owner == names ? content != .other : owner == database
      return declared.contains { place in
        guard !place.needsContent || isWallet else { return false }
        if place.pattern.matches(owner[...]) { return place.hasFixedName || !Self.canHoldCommands(name) }
        // A wallet that is a directory has files of data, and no program of its own.
        return place.pattern.covers(owner[...]) && KeptNames.isData(name)
      }
    }
  }

  private func isPlain(_ name: [UInt8], in folder: ArraySlice<[UInt8]>) -> Bool {
    !name.contains(Self.dot) && folders.contains { $0.matches(folder) }
  }

  /// Returns the places of files to which a file at a place can belong, including the place itself.
  private static func owners(of names: [[UInt8]]) -> [[[UInt8]]] {
    guard let name = names.last else { return [] }
    let folder = Array(names.dropLast())
    var owners = [names]
    // A file that this program holds back.
    if name.count > held.count, name.suffix(held.count) == held[...] {
      owners.append(folder + [Array(name.dropLast(held.count))])
    }
    // A database's journal and logs; a Monero wallet's cache and address.
    if let database = PassingFiles.database(ofLog: name) { owners.append(folder + [database]) }
    owners.append(folder + [name + keys])
    for owner in owners where owner.last?.suffix(address.count) == address[...] {
      owners.append(folder + [Array(name.dropLast(address.count)) + keys])
    }
    if folder.last?.elementsEqual(logFolder) == true, PassingFiles.isLogName(name) {
      owners.append(folder.dropLast() + [Array("wallet.dat".utf8)])
    }
    return owners
  }

  private static let dot = UInt8(ascii: ".")
  private static let held = Array(".fueki-hold".utf8)
  private static let keys = Array(".keys".utf8)
  private static let address = Array(".address.txt".utf8)
  private static let logFolder = Array("database".utf8)

  /// Whether a place is managed by programs rather than by the user.
  private static func isOfPrograms(_ names: [[UInt8]]) -> Bool {
    if names.contains(where: { $0.first == dot }) { return true }
    let first = String(decoding: names.first ?? [], as: UTF8.self).lowercased()
    return programFolders.contains(first)
  }

  /// Directories in a home that belong to programs though they are not hidden.
  private static let programFolders: Set<String> = [
    "anaconda3", "appdata", "applications", "bin", "go", "library", "miniconda3", "miniforge3",
    "node_modules", "perl5",
    "r", "snap",
  ]

  private static func canHoldCommands(_ name: [UInt8]) -> Bool {
    guard let place = name.lastIndex(of: dot) else { return false }
    let ending = String(decoding: name[(place + 1)...], as: UTF8.self).lowercased()
    return commandEndings.contains(ending)
  }

  /// Extensions of scripts, programs, libraries, and settings that can contain commands.
  private static let commandEndings: Set<String> = [
    "appimage", "bash", "bat", "cfg", "cmake", "cmd", "com", "conf", "config", "csh", "cjs", "deb", "desktop",
    "dll",
    "dylib", "el", "envrc", "exe", "fish", "flatpakref", "gradle", "hta", "ini", "jar", "js", "ksh", "lnk",
    "lua", "mjs",
    "mk", "msi", "nix", "php", "pl", "plist", "pm", "ps1", "pth", "py", "pyc", "rb", "rc", "reg", "rpm",
    "run", "scpt",
    "scr", "service", "sh", "so", "socket", "tcl", "timer", "ts", "url", "vbs", "vim", "zsh",
  ]
}

extension WalletProgram {
  /// The paths of the wallets relative to the home.
  package var walletPaths: [String] { namedWalletPaths + recognisedWalletPaths }

  /// The paths of a kind's wallets that their names identify.
  func namedWalletPaths(of kind: String) -> [String] {
    paths(of: places.filter { $0.beginning == nil && $0.kind == kind })
  }
  /// The paths of the wallets that their names identify.
  fileprivate var namedWalletPaths: [String] { paths(of: places.filter { $0.beginning == nil }) }
  /// The paths of files of any name, of which the wallets are recognised by their contents.
  fileprivate var recognisedWalletPaths: [String] { paths(of: places.filter { $0.beginning != nil }) }

  private func paths(of places: [WalletPlace]) -> [String] {
    places.filter { !$0.isExport }.flatMap { place in
      place.wallets.isEmpty ? [place.path] : place.wallets.map { "\(place.path)/\($0)" }
    }
  }
}

/// A path with `*` for any characters in its components, as in `[[source]]` and the table of programs.
///
/// A leading `*` does not match hidden names. Links are followed, because people keep a program's directory
/// on another disk. A component `**` before the last matches any number of directories, but no links, which
/// could form a cycle.
public struct PlacePattern: Sendable {
  private static let star = UInt8(ascii: "*")
  private static let anyFolders = [star, star]
  /// The limit of nested directories for `**`.
  private static let depth = 16

  private let parts: [[UInt8]]

  /// Creates a pattern for an absolute path, or for one relative to a directory.
  public init(_ path: String) {
    parts = path.pathBytes.split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  /// Whether a path has wildcards.
  public static func isPattern(_ path: String) -> Bool { path.utf8.contains(star) }

  /// Returns the existing paths that match an absolute pattern.
  ///
  /// - Parameter unreadable: receives the directories that could not be read.
  /// - Returns: the paths, ordered by name.
  public func paths(unreadable: inout Set<ExactText>) -> [String] {
    paths(below: "", unreadable: &unreadable)
  }

  /// Returns the matching paths below a directory, in order.
  public func paths(below root: String, unreadable: inout Set<ExactText>) -> [String] {
    var found = [root]
    for (index, part) in parts.enumerated() {
      guard part.contains(Self.star) else {
        found = found.map { "\($0)/\(PathText.text(part))" }
        continue
      }
      guard part != Self.anyFolders || index == parts.count - 1 else {
        found = found.flatMap { Self.folders(below: $0, &unreadable) }
        continue
      }
      let wanted = NamePattern(part)
      found = found.flatMap { folder in
        Self.entries(of: folder, &unreadable).map(\.name).filter(wanted.matches)
          .map { "\(folder)/\(PathText.text($0))" }
      }
    }
    return found.filter { PathStatus.of($0, &unreadable) != nil }
  }

  /// Whether components match the pattern or are below a match.
  func covers(_ names: ArraySlice<[UInt8]>) -> Bool { Self.match(parts[...], names) { _ in true } }

  /// Whether components match the pattern.
  func matches(_ names: ArraySlice<[UInt8]>) -> Bool { Self.match(parts[...], names) { $0.isEmpty } }

  /// Whether components match the parts one by one, and `rest` accepts the remaining ones.
  private static func match(
    _ parts: ArraySlice<[UInt8]>, _ names: ArraySlice<[UInt8]>, rest: (ArraySlice<[UInt8]>) -> Bool
  ) -> Bool {
    guard let part = parts.first else { return rest(names) }
    if part == anyFolders, parts.count > 1, match(parts.dropFirst(), names, rest: rest) { return true }
    guard let name = names.first else { return false }
    guard part != anyFolders || parts.count == 1 else {
      return name.first != UInt8(ascii: ".") && match(parts, names.dropFirst(), rest: rest)
    }
    return NamePattern(part).matches(name) && match(parts.dropFirst(), names.dropFirst(), rest: rest)
  }

  /// Returns a directory and all directories below it.
  private static func folders(below folder: String, _ unreadable: inout Set<ExactText>) -> [String] {
    var found = [folder]
    guard let directory = open(folder, &unreadable) else { return found }
    let name = { (path: [[UInt8]]) in ([folder] + path.map { PathText.text($0) }).joined(separator: "/") }
    do {
      try directory.walk { _, entry, path in
        guard entry.kind == .directory, entry.name.first != UInt8(ascii: ".") else { return false }
        found.append(name(path))
        return path.count < depth
      } unopened: { path, error in
        if !error.isNotFound { unreadable.insert(ExactText(name(path))) }
      }
    } catch is Interrupted {
      // The search ends with what it has.
    } catch {
      unreadable.insert(ExactText(folder))
    }
    return found
  }

  private static func entries(of folder: String, _ unreadable: inout Set<ExactText>) -> [DirectoryEntry] {
    guard let directory = open(folder, &unreadable) else { return [] }
    do {
      return try directory.list()
    } catch {
      unreadable.insert(ExactText(folder))
      return []
    }
  }

  /// Opens a directory; nil if there is none, or it cannot be opened.
  private static func open(_ path: String, _ unreadable: inout Set<ExactText>) -> Directory? {
    let path = path.isEmpty ? "/" : path
    // A missing directory is not opened: most programs are not installed.
    guard PathStatus.of(path, &unreadable)?.kind == .directory else { return nil }
    do {
      return try Directory.open(path)
    } catch {
      if !error.isNotFound { unreadable.insert(ExactText(path)) }
      return nil
    }
  }
}

/// The status of a path, with links followed.
enum PathStatus {
  /// Nil if there is no such file, or its status is unknown.
  static func of(_ path: String, _ unreadable: inout Set<ExactText>) -> FileStatus? {
    do {
      return try FileStatus.of(path)
    } catch {
      // A dangling link counts as existing: browsers lock their profiles with one.
      if error.isNotFound { return try? FileStatus.of(path, symbolicLinks: .refuse) }
      unreadable.insert(ExactText(PathParts(CurrentProcess.absolutePath(of: path)).folder))
      return nil
    }
  }
}
