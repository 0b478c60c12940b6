internal import FuekiArchive
internal import FuekiSystem

extension RcloneStorage {
  /// The bytes of a trial; nothing is learnt from more.
  private static let trialBytes = [UInt8](repeating: 7, count: 4096)

  func tryOut() throws -> TargetTrial { try isAppendOnly ? tryAppending() : tryWriting() }

  private func tryWriting() throws -> TargetTrial {
    let machine = TemporaryName.trial
    try removeLeftovers(of: machine)
    let names = (TemporaryName.make(for: machine), TemporaryName.make(for: machine))
    let paths = (folder.child(names.0), folder.child(names.1))
    defer {
      try? delete(paths.0)
      try? delete(paths.1)
    }
    try Self.withScratchFile(of: Self.trialBytes) { source in
      for path in [paths.0, paths.1] {
        _ = try RcloneCommand("copyto", places: [source, path.place], subject: path).output()
        guard try RcloneCommand("cat", on: path).output(limit: 8192) == Self.trialBytes else {
          throw TargetError.readBackDiffers(path: path.text)
        }
      }
    }
    try rename(paths.0, to: paths.1)
    let keepsNames = try list().contains { $0.name == names.0 }
    return TargetTrial(of: try entries(), keepsNames: keepsNames, freeBytes: freeBytes())
  }

  /// Provides the path of a temporary local file, which is removed afterwards.
  static func withScratchFile(of bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let directory = try Directory.open(Environment.get("TMPDIR") ?? "/var/tmp")
    let name = TemporaryName.make(for: TemporaryName.trial)
    let file = try directory.createFile(name)
    defer { try? directory.remove(name) }
    try file.pwriteAll(bytes, at: 0)
    try body("\(directory.path)/\(name)")
  }
}
