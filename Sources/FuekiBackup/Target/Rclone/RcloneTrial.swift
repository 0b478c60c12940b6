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
    let scratch = try Directory.open(Environment.get("TMPDIR") ?? "/var/tmp")
    try scratch.createFile(names.0).pwriteAll(Self.trialBytes, at: 0)
    defer { try? scratch.remove(names.0) }
    for path in [paths.0, paths.1] {
      let source = "\(scratch.path)/\(names.0)"
      _ = try RcloneCommand("copyto", places: [source, path.place], subject: path).output()
      guard try RcloneCommand("cat", on: path).output(limit: 8192) == Self.trialBytes else {
        throw TargetError.readBackDiffers(path: path.text)
      }
    }
    try rename(paths.0, to: paths.1)
    let keepsNames = try list().contains { $0.name == names.0 }
    let archives = try entries().filter { $0.archive != nil }
    return TargetTrial(
      keepsPermissions: true, keepsNames: keepsNames, syncsNames: true, freeBytes: freeBytes(),
      clockDifference: 0, longestArchive: archives.map(\.byteCount).max() ?? 0, archives: archives.count)
  }
}
