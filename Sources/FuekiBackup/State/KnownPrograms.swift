public import FuekiCrypto

extension StateDirectory {
  private static let programs = "programs"

  /// Returns the versions of the programs that this machine put next to archives, by their digests.
  public func programs() throws -> [Digest: String] {
    guard let bytes = try read(Self.programs) else { return [:] }
    var known: [Digest: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, let digest = Digest(hex: words[0]) else {
        throw StateError.damaged(path: "\(path)/\(Self.programs)")
      }
      known[digest] = words[1]
    }
    return known
  }

  fileprivate func write(_ programs: [Digest: String]) throws {
    let lines = programs.map { "\($0.key.hex) \($0.value)\n" }.sorted()
    try write([UInt8](lines.joined().utf8), as: Self.programs)
  }
}

extension LockedState {
  /// Remembers a program before it is put next to archives.
  public func note(program digest: Digest, version: String) throws {
    var programs = try directory.programs()
    programs[digest] = version
    try directory.write(programs)
  }
}
