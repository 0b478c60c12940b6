internal import FuekiSystem

/// The package's own folder, from where this file was compiled.
private let repository: String = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  .dropLast(3).joined(separator: "/")

/// Published files of other programs, and of standards what is too much for ``Published``.
///
/// They are not part of the repository: tests that need them are disabled where they are absent.
package enum Fixtures {
  /// The folder of all fixtures, from FUEKI_FIXTURES or beside the repository; nil where there is none.
  package static var root: String? {
    existing(Environment.get("FUEKI_FIXTURES") ?? "\(repository)/../shared/fixtures")
  }

  /// The folder of one kind of fixtures.
  package static func folder(_ name: String) -> String? { root.flatMap { existing("\($0)/\(name)") } }

  /// All bytes of one fixture, by its path below the folder of all.
  package static func file(_ path: String) throws -> [UInt8] {
    guard let root else { throw SystemError(.notFound, call: "open", path: path) }
    return try File.open("\(root)/\(path)").readAll(limit: 1 << 30)
  }
}

/// Inputs and outputs that standards publish; Tests/Published/README.md says which.
package enum Published {
  /// All bytes of one file of them.
  package static func file(_ name: String) throws -> [UInt8] {
    try File.open("\(repository)/Tests/Published/\(name)").readAll(limit: 1 << 20)
  }
}

/// The archives in TestVectors, frozen per version of the format.
package enum TestVectors {
  /// The folder with the vectors.
  package static var folder: String { "\(repository)/TestVectors" }

  /// All bytes of one vector.
  package static func file(_ path: String) throws -> [UInt8] {
    try File.open("\(folder)/\(path)").readAll(limit: 1 << 30)
  }
}

func existing(_ path: String) -> String? { (try? Directory.open(path)) == nil ? nil : path }

/// The repository's own folder, for tests that read its man pages or sources.
package enum Repository {
  package static var path: String { repository }
}
