internal import FuekiSystem

/// The repository's directory, according to this file's path at compile time.
private let repository: String = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  .dropLast(3).joined(separator: "/")

/// Published files of other programs, and standards' files too large for ``Published``.
///
/// They are not part of the repository. Tests that need them are disabled if they are missing.
package enum Fixtures {
  /// The directory of all fixtures, from FUEKI_FIXTURES or next to the repository, or `nil` if there is none.
  package static var root: String? {
    existing(Environment.get("FUEKI_FIXTURES") ?? "\(repository)/../shared/fixtures")
  }

  /// Returns the directory of one kind of fixtures.
  package static func folder(_ name: String) -> String? { root.flatMap { existing("\($0)/\(name)") } }

  /// Returns the bytes of a fixture, given its path below the root.
  package static func file(_ path: String) throws -> [UInt8] {
    guard let root else { throw SystemError(.notFound, call: "open", path: path) }
    return try File.open("\(root)/\(path)").readAll(limit: 1 << 30)
  }
}

/// Inputs and outputs published by standards, listed in Tests/Published/README.md.
package enum Published {
  /// Returns the bytes of one of the files.
  package static func file(_ name: String) throws -> [UInt8] {
    try File.open("\(repository)/Tests/Published/\(name)").readAll(limit: 1 << 20)
  }
}

/// The archives in TestVectors, frozen for each version of the format.
package enum TestVectors {
  /// The directory of the vectors.
  package static var folder: String { "\(repository)/TestVectors" }

  /// Returns the bytes of a vector.
  package static func file(_ path: String) throws -> [UInt8] {
    try File.open("\(folder)/\(path)").readAll(limit: 1 << 30)
  }
}

func existing(_ path: String) -> String? { (try? Directory.open(path)) == nil ? nil : path }

/// The checkout that the tests are from, for those that read its man pages or sources.
package enum SourceTree {
  package static var path: String { repository }
}
