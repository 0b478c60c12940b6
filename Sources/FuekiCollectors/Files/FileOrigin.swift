internal import FoundationEssentials
internal import FuekiSystem
internal import FuekiWallet

/// Where a file lay, and whose it is: what putting it back goes by.
struct FileOrigin: Sendable {
  /// `~/…` below the home directory, else absolute, as the file system's bytes; nil where that cannot be told.
  let place: [UInt8]?
  /// Whose file it is; empty where nothing says so.
  var program: String
  /// The version of that program; mostly not in its files, and then empty.
  var version = ""

  /// The origin of the file at a path that was opened.
  ///
  /// - Parameters:
  ///   - path: as it was opened; a relative one begins in the folder that this process runs in.
  ///   - program: whose files these are; nil where only the place can tell.
  init(path: [UInt8], program: String?) {
    place = FilePlace.of(path)
    self.program = program ?? place.flatMap(FilePlace.program) ?? ""
  }

  /// An origin that another process of this program found.
  init(place: [UInt8]?, program: String, version: String) {
    (self.place, self.program, self.version) = (place, program, version)
  }

  /// Notes the origin in a file's first part.
  func note(in part: inout FilePart) {
    if let place { part.place = Data(place) }
    part.program = program
    part.programVersion = version
  }

  /// Notes the origin in a file's first part.
  func note(in part: inout SecretFilePart) {
    part.place = place
    part.program = program
    part.programVersion = version
  }
}

/// Places of files: what a path is on any machine of the same person.
enum FilePlace {
  private static let slash = UInt8(ascii: "/")

  /// The place of a path; nil where the path cannot be told from the root.
  ///
  /// Links are not resolved: a program looks for its files where their owner put them, by way of a link or not.
  static func of(_ path: [UInt8]) -> [UInt8]? {
    guard let whole = absolute(path) else { return nil }
    for home in homes where whole.starts(with: home + [slash]) {
      return Array("~/".utf8) + whole.dropFirst(home.count + 1)
    }
    return whole
  }

  /// The person's home, as the environment has it and without its links.
  private static var homes: [[UInt8]] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return [] }
    let all = [home, CurrentProcess.absolutePath(of: home)].map { normal($0.pathBytes) }
    return all.compactMap(\.self).filter { $0.count > 1 }
  }

  private static func absolute(_ path: [UInt8]) -> [UInt8]? {
    if path.first == slash { return normal(path) }
    return CurrentProcess.folder.flatMap { normal($0.pathBytes + [slash] + path) }
  }

  /// A path from the root without empty parts and dots; nil where the file system has to be asked, and does not tell.
  private static func normal(_ path: [UInt8]) -> [UInt8]? {
    var parts = path.split(separator: slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
    let isUp: (ArraySlice<UInt8>) -> Bool = { $0.elementsEqual(Array("..".utf8)) }
    if let up = parts.lastIndex(where: isUp) {
      // Behind a link the folder above is another one than the path says.
      let folder = [slash] + parts[...up].joined(separator: [slash])
      let resolved = CurrentProcess.absolutePath(of: PathText.text(folder)).pathBytes.split(separator: slash)
      guard !resolved.contains(where: isUp) else { return nil }
      parts = resolved + parts[(up + 1)...]
    }
    return [slash] + parts.joined(separator: [slash])
  }

  /// Whose folder a place lies in; nil where none of a program that is known here.
  static func program(_ place: [UInt8]) -> String? {
    let text = String(decoding: place, as: UTF8.self)
    return folders.first { text.hasPrefix("~/\($0.folder)/") }?.program
  }

  private static let folders: [(folder: String, program: String)] = [
    (".electrum", "electrum"), (".ethereum", "geth"), (".bitcoin", "bitcoin-core"),
    (".litecoin", "litecoin-core"), (".dogecoin", "dogecoin-core"), (".dashcore", "dash-core"),
    (".lnd", "lnd"), (".lightning", "core-lightning"), (".config/solana", "solana"),
    (".sparrow", "sparrow"), (".specter", "specter-desktop"), (".liana", "liana"),
    (".vultisig", "vultisig"), (".lighthouse", "lighthouse"), (".eth2validators", "prysm"),
    (".local/share/lodestar", "lodestar"), ("Monero", "monero"), (".bitmonero", "monero"),
    (".walletwasabi", "wasabi"), (".config/frost", "frost"), (".electron-cash", "electron-cash"),
    (".electrum-ltc", "electrum-ltc"),
  ]
}
