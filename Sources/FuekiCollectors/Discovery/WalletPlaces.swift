internal import FuekiBackup
internal import FuekiSystem

/// The places in a home directory to which an archive's files may be put back.
///
/// Hidden names, and directories such as `bin` or `snap`, belong to programs. Many programs execute or obey
/// the files there, and no list of them is complete. Only the places declared for wallets in the table of
/// programs (``WalletProgram/all``) are therefore allowed. Elsewhere people keep documents: a file may be put
/// back unless its extension shows that it can contain commands.
public struct WalletPlaces: Sendable {
  private let declared: [PlacePattern]
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
    declared = programs.flatMap { program in
      (program.walletPaths + program.beside)
        .flatMap { program.paths(of: $0).flatMap(below) }.map { PlacePattern($0) }
    }
    folders = programs.flatMap { program in
      program.plainNamesIn.flatMap { program.paths(of: $0).flatMap(below) }.map { PlacePattern($0) }
    }
  }

  /// Whether a file may be put back to a place.
  ///
  /// - Parameter names: the directories below the home, and the file's name.
  /// - Returns: false for a program's place that is not declared for wallets, and for a name of a file that
  ///   can contain commands.
  public func allow(_ names: [[UInt8]]) -> Bool {
    guard let name = names.last else { return false }
    if Self.isOfPrograms(names) { return isDeclared(names) || isPlain(name, in: names.dropLast()) }
    return !Self.canHoldCommands(name)
  }

  /// Whether a place is for a wallet, or for a file that belongs to one.
  private func isDeclared(_ names: [[UInt8]]) -> Bool {
    Self.owners(of: names).contains { owner in declared.contains { $0.covers(owner[...]) } }
  }

  private func isPlain(_ name: [UInt8], in folder: ArraySlice<[UInt8]>) -> Bool {
    !name.contains(Self.dot) && folders.contains { $0.matches(folder) }
  }

  /// Returns the places of files to which a file at a place can belong, including the place itself.
  private static func owners(of names: [[UInt8]]) -> [[[UInt8]]] {
    guard let name = names.last else { return [] }
    let folder = Array(names.dropLast())
    var owners = [names]
    // A database's journal and logs; a Monero wallet's cache and address.
    if let database = PassingFiles.database(ofLog: name) { owners.append(folder + [database]) }
    owners.append(folder + [name + keys])
    for owner in owners where owner.last?.suffix(address.count) == address[...] {
      owners.append(folder + [Array(name.dropLast(address.count)) + keys])
    }
    if folder.last?.elementsEqual(logFolder) == true, name.starts(with: logStart) {
      owners.append(folder.dropLast() + [Array("wallet.dat".utf8)])
    }
    return owners
  }

  private static let dot = UInt8(ascii: ".")
  private static let keys = Array(".keys".utf8)
  private static let address = Array(".address.txt".utf8)
  private static let logFolder = Array("database".utf8)
  private static let logStart = Array("log.".utf8)

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
  package var walletPaths: [String] {
    places.filter { !$0.isExport }.flatMap { place in
      place.wallets.isEmpty ? [place.path] : place.wallets.map { "\(place.path)/\($0)" }
    }
  }
}
