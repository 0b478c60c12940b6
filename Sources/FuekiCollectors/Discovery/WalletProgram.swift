internal import FuekiSystem

/// A program that keeps wallets, and where it keeps them.
///
/// The table of all is ``all``: a new program is an entry in one of the lists beside this file.
public struct WalletProgram: Sendable {
  /// The name that scripts know, such as "electrum".
  public let id: String
  /// The name that people know.
  public let title: String
  /// The application's names on Flathub: each has a home of its own below `~/.var/app`.
  var flatpaks: [String] = []
  /// The application's names in the Snap Store: each has a home of its own below `~/snap`.
  var snaps: [String] = []
  /// What shows that the program is running.
  var locks: [ProgramLock] = []
  let places: [WalletPlace]
  /// The collectors' kinds of its places.
  package var kinds: [String] { places.map(\.kind) }
  /// Files beside the wallets that a backup may have, and that go back to their places: none can name a command.
  var beside: [String] = []
  /// Folders in which a wallet may have any name without a dot, as no setting of the program has.
  var plainNamesIn: [String] = []

  /// The paths below a home that one of the program's can be: its own, and in the homes that Flatpak and Snap give it.
  package func paths(of path: String) -> [String] {
    [path] + flatpaks.map { ".var/app/\($0)/\(Self.inFlatpak(path))" }
      + snaps.flatMap { name in ["current", "common"].map { "snap/\(name)/\($0)/\(path)" } }
  }

  /// Flatpak gives an application folders of its own in place of these.
  private static func inFlatpak(_ path: String) -> String {
    for (folder, own) in [(".config/", "config/"), (".local/share/", "data/")] where path.hasPrefix(folder) {
      return own + path.dropFirst(folder.utf8.count)
    }
    return path
  }

  /// Every program that is looked for.
  public static let all: [WalletProgram] =
    desktopPrograms + nodePrograms + lightningPrograms + validatorPrograms + signerPrograms + browserPrograms
    + exportedFiles
}

/// A place where a program keeps wallets.
struct WalletPlace: Sendable {
  /// The path below the home, with `*` for any part of a name: what a source names.
  let path: String
  /// The wallets' paths in it; empty where the place itself is one wallet.
  var wallets: [String] = []
  /// The collector's kind.
  var kind = "file"
  var sealing: Sealing
  var dangers: [WalletDanger] = []
  /// Only on a disk, and in folders that people save into: elsewhere such a name says too little.
  var isExport = false
  /// Tells a wallet by its beginning; nil if its name tells it.
  var beginning: (@Sendable (Span<UInt8>) -> Bool)?

  /// In so many bytes are a database's description of itself and its tables, and no keys yet.
  private static let beginningByteCount = 4096

  /// Whether a file is a wallet, as far as the place has a look at it.
  func isWallet(_ path: String) -> Bool {
    guard let beginning else { return true }
    guard let file = try? File.openRegular(path), let size = try? file.size(),
      let bytes = try? file.readExactly(min(Int(clamping: size), Self.beginningByteCount), at: 0)
    else { return false }
    return beginning(bytes.span)
  }

  /// A file under any name that is a wallet by its beginning.
  static func content(
    _ path: String, kind: String, _ sealing: Sealing, _ dangers: WalletDanger...,
    beginning: @escaping @Sendable (Span<UInt8>) -> Bool
  ) -> WalletPlace {
    WalletPlace(path: path, kind: kind, sealing: sealing, dangers: dangers, beginning: beginning)
  }

  /// One wallet, a file or a folder of files.
  static func one(
    _ path: String, kind: String = "file", _ sealing: Sealing, _ dangers: WalletDanger...
  ) -> WalletPlace {
    WalletPlace(path: path, kind: kind, sealing: sealing, dangers: dangers)
  }

  /// A folder of wallets.
  static func folder(
    _ path: String, of wallets: [String], kind: String = "file", _ sealing: Sealing,
    _ dangers: [WalletDanger] = []
  ) -> WalletPlace {
    WalletPlace(path: path, wallets: wallets, kind: kind, sealing: sealing, dangers: dangers)
  }

  /// A file that a person saved somewhere.
  static func export(
    _ name: String, kind: String = "file", _ sealing: Sealing, _ dangers: WalletDanger...
  ) -> WalletPlace {
    WalletPlace(path: name, kind: kind, sealing: sealing, dangers: dangers, isExport: true)
  }
}

/// A file that shows whether a program is running.
struct ProgramLock: Sendable {
  enum Sign {
    /// The file is there only while the program runs.
    case exists
    /// The file stays; while the program runs it holds a lock on it.
    case held
  }

  let path: String
  let sign: Sign

  static func exists(_ path: String) -> ProgramLock { ProgramLock(path: path, sign: .exists) }
  static func held(_ path: String) -> ProgramLock { ProgramLock(path: path, sign: .held) }
}
