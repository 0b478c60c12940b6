internal import FuekiSystem

/// A program with wallets, and their places.
///
/// Each kind has those whose wallets it reads (``CollectorKind/programs``).
package struct WalletProgram: Sendable {
  /// The name in JSON, such as "electrum".
  package let id: String
  /// The name for people.
  let title: String
  var group = Group.desktop
  /// The program's own directories below the home, whose files are the program's.
  package var folders: [String] = []
  /// The application's ids on Flathub.
  ///
  /// Each has its own home below `~/.var/app`.
  var flatpaks: [String] = []
  /// The application's names in the Snap Store.
  ///
  /// Each has its own home below `~/snap`.
  var snaps: [String] = []
  /// Signs that the program is running.
  var locks: [ProgramLock] = []
  let places: [WalletPlace]
  /// The collectors' kinds of its places.
  package var kinds: [String] { places.map(\.kind) }
  /// Files next to the wallets that may be backed up and put back.
  ///
  /// None can contain commands.
  var beside: [String] = []
  /// Directories in which a wallet may have any name without a dot, unlike the program's settings.
  var plainNamesIn: [String] = []

  /// Returns the possible paths of a program's path below a home: its own, and those in Flatpak's and Snap's
  /// homes.
  package func paths(of path: String) -> [String] { Self.paths(of: path, flatpaks: flatpaks, snaps: snaps) }

  static func paths(of path: String, flatpaks: [String], snaps: [String]) -> [String] {
    [path] + flatpaks.map { ".var/app/\($0)/\(inFlatpak(path))" }
      + snaps.flatMap { name in ["current", "common"].map { "snap/\(name)/\($0)/\(path)" } }
  }

  /// Returns Flatpak's replacement for a path.
  private static func inFlatpak(_ path: String) -> String {
    for (folder, own) in [(".config/", "config/"), (".local/share/", "data/")] where path.hasPrefix(folder) {
      return own + path.dropFirst(folder.utf8.count)
    }
    return path
  }

  /// The directory below the home in which people keep wallets of all programs.
  ///
  /// It is searched like a disk of its own.
  static let ownFolder = "crypto"

  /// The groups of programs, in the order of discovery.
  enum Group: CaseIterable {
    case desktop, node, lightning, validator, signer, browser
    /// Files saved from programs and phones, with unambiguous names.
    case exported
  }

  /// The programs of all kinds, group by group.
  package static let all: [WalletProgram] = {
    let programs = CollectorKind.all.flatMap(\.programs)
    return Group.allCases.flatMap { group in
      programs.filter { ($0.places.allSatisfy(\.isExport) ? .exported : $0.group) == group }
    }
  }()
}

/// A program's place for wallets.
struct WalletPlace: Sendable {
  /// The path below the home, with `*` in names, as used for a source.
  let path: String
  /// The wallets' paths in it; empty if the place itself is a wallet.
  var wallets: [String] = []
  /// The collector's kind.
  var kind = "file"
  var sealing: Sealing
  var dangers: [WalletDanger] = []
  /// A danger of only those wallets that have certain names.
  var dangerByName: (danger: WalletDanger, applies: @Sendable (_ name: [UInt8]) -> Bool)?
  /// Whether it is searched only on disks and in directories for saved files: elsewhere the name is
  /// ambiguous.
  var isExport = false
  /// Whether the folder before the first `*` of the path has nothing but wallets, so that a source of it takes a wallet
  /// that is made later, too.
  var isOfFolder = false
  /// Recognises a wallet by its first bytes; nil if its name is enough.
  var beginning: (@Sendable (Span<UInt8>) -> Bool)?

  /// The length of a database's header and table definitions, which precede all keys.
  private static let beginningByteCount = 4096

  /// The dangers of some of its wallets.
  func dangers(of wallets: [String]) -> [WalletDanger] {
    guard let (danger, applies) = dangerByName,
      wallets.contains(where: { applies(PathParts($0).name.pathBytes) })
    else { return dangers }
    return dangers + [danger]
  }

  /// Whether a file is a wallet, as far as the place can check.
  func isWallet(_ path: String) -> Bool {
    guard let beginning else { return true }
    guard let file = try? File.openRegular(path), let size = try? file.size(),
      let bytes = try? file.readExactly(min(Int(clamping: size), Self.beginningByteCount), at: 0)
    else { return false }
    return beginning(bytes.span)
  }

  /// A file of any name that is recognised as a wallet by its first bytes.
  static func content(
    _ path: String, kind: String, _ sealing: Sealing, _ dangers: WalletDanger...,
    beginning: @escaping @Sendable (Span<UInt8>) -> Bool
  ) -> WalletPlace {
    WalletPlace(path: path, kind: kind, sealing: sealing, dangers: dangers, beginning: beginning)
  }

  /// One wallet: a file or a directory of files.
  static func one(
    _ path: String, kind: String = "file", _ sealing: Sealing, _ dangers: WalletDanger...
  ) -> WalletPlace {
    WalletPlace(path: path, kind: kind, sealing: sealing, dangers: dangers)
  }

  /// A directory of wallets.
  static func folder(
    _ path: String, of wallets: [String], kind: String = "file", _ sealing: Sealing,
    _ dangers: [WalletDanger] = []
  ) -> WalletPlace {
    WalletPlace(path: path, wallets: wallets, kind: kind, sealing: sealing, dangers: dangers)
  }

  /// A file saved by the user.
  static func export(
    _ name: String, kind: String = "file", _ sealing: Sealing, _ dangers: WalletDanger...
  ) -> WalletPlace {
    WalletPlace(path: name, kind: kind, sealing: sealing, dangers: dangers, isExport: true)
  }
}

/// A file that shows whether a program is running.
struct ProgramLock: Sendable {
  enum Sign {
    /// The file exists only while the program runs.
    case exists
    /// The file is permanent.
    ///
    /// A running program holds a lock on it.
    case held
  }

  let path: String
  let sign: Sign

  static func exists(_ path: String) -> ProgramLock { ProgramLock(path: path, sign: .exists) }
  static func held(_ path: String) -> ProgramLock { ProgramLock(path: path, sign: .held) }
}

/// The dangers of a wallet's copy, or of putting it back.
public enum WalletDanger: String, CaseIterable, Sendable {
  /// The secret is unencrypted.
  case clearSecret = "clear-secret"
  /// An old copy of Lightning channels is punished.
  case oldChannels = "old-channels"
  /// A static channel backup closes every channel.
  case closesChannels = "closes-channels"
  /// Two validators with one key are slashed.
  case signsTwice = "signs-twice"
  /// An old record of what was signed allows signing it again.
  case oldRecord = "old-record"
  /// An older copy lacks keys that were added later.
  case laterKeys = "later-keys"
  /// A share of an older set looks valid and is useless.
  case oldShares = "old-shares"
  /// The seed is elsewhere.
  case noSeed = "no-seed"
  /// Files that change together can be copied consistently only while the program is closed.
  case closeFirst = "close-first"
}

/// How to determine, without a key, whether a program's wallets are encrypted.
enum Sealing: Sendable {
  /// They always are.
  case always
  /// They never are.
  case never
  /// They contain no secrets.
  case nothingSecret
  /// Unknown: only the content would show it.
  case hidden
  /// The first bytes show it for these forms.
  ///
  /// Otherwise it is unknown.
  case begins([(text: String, encryption: WalletEncryption)])
  /// The length shows it.
  case length([UInt64: WalletEncryption])

  static let electrum = Sealing.begins([("QklFM", .yes)])
  static let sparrow = Sealing.begins([("H2encrypt", .yes), ("U1BSVz", .yes), ("H:2,", .no)])
  static let coreLightning = Sealing.length([32: .no, 73: .yes])

  /// The number of bytes that can be read without reading a secret.
  private static let beginningByteCount = 9

  /// Returns a file's encryption.
  func encryption(of path: String) -> WalletEncryption {
    switch self {
    case .always: return .yes
    case .never: return .no
    case .nothingSecret: return .notNeeded
    case .hidden: return .unknown
    case .length(let known):
      guard let size = try? File.openRegular(path).size() else { return .unknown }
      return known[size] ?? .unknown
    case .begins(let forms):
      guard let file = try? File.openRegular(path), let size = try? file.size(),
        let bytes = try? file.readExactly(min(Int(clamping: size), Self.beginningByteCount), at: 0)
      else { return .unknown }
      return forms.first { bytes.starts(with: Array($0.text.utf8)) }?.encryption ?? .unknown
    }
  }
}

/// Whether a wallet is encrypted by its program.
public enum WalletEncryption: String, Sendable {
  case yes
  case no
  /// Some of several wallets are.
  case some
  /// It contains no secrets.
  case notNeeded = "not-needed"
  /// Unknown without reading secrets.
  case unknown

  /// Returns the combined state of several wallets.
  static func of(_ all: [WalletEncryption]) -> WalletEncryption {
    guard let first = all.first else { return .unknown }
    if all.allSatisfy({ $0 == first }) { return first }
    return all.contains(.unknown) ? .unknown : .some
  }
}

/// The data directories of known programs, which have many files besides wallets.
enum ProgramFolders {
  private static let slash = UInt8(ascii: "/")

  /// Whether a directory is a program's whole data directory, or has one in it.
  static func include(_ path: String) -> Bool {
    guard let names = names(below: path.pathBytes) else { return false }
    return WalletProgram.all.contains { program in
      program.folders.flatMap(program.paths(of:)).contains { folder in
        folder.pathBytes.split(separator: slash).starts(with: names) { $0.elementsEqual($1) }
      }
    }
  }

  /// Whether a file is where the programs of a kind have wallets of any content.
  static func haveWallet(at path: [UInt8], of kind: CollectorKind) -> Bool {
    guard let names = names(below: path) else { return false }
    return kind.programs.contains { program in
      program.namedWalletPaths(of: kind.name).flatMap(program.paths(of:)).contains {
        PlacePattern($0).covers(names[...])
      }
    }
  }

  /// The components of a path below the home; nil if it is elsewhere.
  private static func names(below path: [UInt8]) -> [[UInt8]]? {
    // The home itself has no name below it.
    guard let place = FilePlace.of(path + [slash] + Array("x".utf8)), place.starts(with: "~/".utf8) else {
      return nil
    }
    return place.dropFirst(2).split(separator: slash).dropLast().map(Array.init)
  }
}
