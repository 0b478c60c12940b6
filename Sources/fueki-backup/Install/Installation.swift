internal import FuekiCrypto
internal import FuekiSystem

/// The program's files below a prefix.
///
/// Files of an earlier installation are recognized by their digests, in a list that `sha256sum --check` reads too. Any
/// other existing file belongs to another program, or was changed by hand, and is left alone.
struct Installation {
  /// The step for a file.
  enum Step: String {
    case write
    case replace
    case keep
  }

  private static let list = "share/fueki-backup/SHA256SUMS"
  private let prefix: String
  private let files: [InstalledFile]

  init(of files: [InstalledFile], below prefix: String) {
    self.files = files
    self.prefix = prefix
  }

  /// Returns the steps, file by file, without changing anything.
  ///
  /// - Throws: a failure that lists every file in the way.
  func plan() throws -> [(file: InstalledFile, step: Step)] {
    let known = try earlierDigests()
    var inTheWay: [String] = []
    var steps: [(file: InstalledFile, step: Step)] = []
    for file in files {
      let found = try digest(of: file.path)
      steps.append((file, found == nil ? .write : found == file.digest ? .keep : .replace))
      guard let found, found != file.digest, known[file.path]?.contains(found) != true else { continue }
      inTheWay.append("\(prefix)/\(file.path)")
    }
    guard inTheWay.isEmpty else {
      throw Failure(
        .wouldOverwrite, "another program's, or changed since: \(inTheWay.joined(separator: ", "))",
        meaning: "nothing was installed", hint: "move them away, or choose another --prefix")
    }
    return steps
  }

  /// Puts every file in place, each in one step, so that a program that is running goes on with its own.
  func carryOut(_ steps: [(file: InstalledFile, step: Step)]) throws {
    var digests = try earlierDigests()
    for file in files { digests[file.path, default: []].append(file.digest) }
    // Both are known until all is done: an installation that was interrupted can be repeated.
    try put(Array(Self.text(digests).utf8), at: Self.list, permissions: 0o644)
    for (file, step) in steps where step != .keep {
      try put(file.bytes, at: file.path, permissions: file.permissions)
    }
    let last = Dictionary(uniqueKeysWithValues: files.map { ($0.path, [$0.digest]) })
    try put(Array(Self.text(last).utf8), at: Self.list, permissions: 0o644)
  }

  private static func text(_ digests: [String: [Digest]]) -> String {
    digests.sorted { $0.key < $1.key }.flatMap { path, digests in
      Set(digests).sorted().map { "\($0.hex)  ../../\(path)\n" }
    }.joined()
  }

  private func earlierDigests() throws -> [String: [Digest]] {
    var known: [String: [Digest]] = [:]
    guard let bytes = try read(Self.list) else { return known }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let gap = line.firstRange(of: "  ../../"),
        let digest = Digest(hex: String(line[..<gap.lowerBound]))
      else { continue }
      known[String(line[gap.upperBound...]), default: []].append(digest)
    }
    return known
  }

  private func digest(of path: String) throws -> Digest? {
    guard let bytes = try read(path) else { return nil }
    return SHA256.hash(bytes)
  }

  private func read(_ path: String) throws -> [UInt8]? {
    let (folder, name) = place(of: path)
    guard Self.isThere(folder), try Directory.open(folder).contains(name) else { return nil }
    return try Directory.open(folder).openFile(name).readAll(limit: 1 << 30)
  }

  private static func isThere(_ folder: String) -> Bool { (try? Directory.open(folder)) != nil }

  /// Returns the folder of a path below the prefix, and the file's name in it.
  private func place(of path: String) -> (folder: String, name: String) {
    let parts = path.split(separator: "/").map(String.init)
    return (([prefix] + parts.dropLast()).joined(separator: "/"), parts.last ?? "")
  }

  private func put(_ bytes: [UInt8], at path: String, permissions: UInt16) throws {
    let (folder, name) = place(of: path)
    try Directory.makeDirectories(folder, permissions: 0o755)
    try Directory.open(folder).writeWhole(bytes, as: name, permissions: permissions, replacing: true)
  }
}
