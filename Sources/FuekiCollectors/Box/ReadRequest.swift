internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// A reader's task.
struct ReadRequest {
  let kind: String
  let path: String
  let request: CollectionRequest
  /// Whether the files are only kept, because a reader failed before.
  let onlyKeeps: Bool
  let hasPassphrase: Bool
  let hasCopying: Bool

  var frame: [UInt8] {
    var frame = FrameWriter()
    frame.add(kind)
    frame.add(path)
    for flag in [
      onlyKeeps, hasPassphrase, hasCopying, request.includesPrivateKeys, request.secretsAreUnwanted,
      request.isForBackup,
    ] { frame.add(flag) }
    frame.add(request.condition)
    frame.add(request.selection.sections.map(\.name).sorted())
    // The reader leaves out archives of targets below its source; others it does not see.
    let targets = request.targets.filter { $0.kind != .rclone }
    frame.add(targets.map(\.path))
    return frame.bytes
  }
}

extension ReadRequest {
  /// Reads a request of another process, which keeps track of files that change.
  init(_ bytes: [UInt8], changes: SourceChanges) throws {
    var frame = ByteReader(bytes)
    kind = try frame.nextText()
    path = try frame.nextText()
    onlyKeeps = try frame.nextFlag()
    hasPassphrase = try frame.nextFlag()
    hasCopying = try frame.nextFlag()
    let (withKeys, areUnwanted, isForBackup) = (
      try frame.nextFlag(), try frame.nextFlag(), try frame.nextFlag()
    )
    let condition = try frame.nextText()
    var request = CollectionRequest(
      selection: try SectionSelection(only: try frame.nextTexts(), exclude: []), includesPrivateKeys: withKeys
    )
    (request.secretsAreUnwanted, request.isForBackup) = (areUnwanted, isForBackup)
    (request.condition, request.changes) = (condition, changes)
    request.targets = try frame.nextTexts().map { Target(path: $0, kind: .local) }
    self.request = request
    try frame.finish()
  }
}
