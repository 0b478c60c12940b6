internal import FuekiSystem

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
