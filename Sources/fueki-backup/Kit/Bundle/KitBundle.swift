internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// Puts the program that restores next to the archives on a disk, in a folder that never changes again.
struct KitBundle {
  /// The outcome.
  enum Step: String {
    case write
    case keep
  }

  let sources: BundleSources
  let target: Target

  /// - Throws: a failure where others could put a program of their own in its place: what people type their words into
  ///   must be out of their reach.
  static func check(_ target: Target) throws {
    let reason: (why: String, hint: String)? =
      switch target.kind {
      case .rclone: ("is a remote", "bundle it on a disk that you can unplug")
      case .synced:
        (
          "counts as synced",
          "if it is a disk that you can unplug, say so in config.toml: a [[target]] with kind = \"local\""
        )
      case .local where target.isAppendOnly:
        ("is append-only, which is for places that others reach", "bundle it on a disk that you can unplug")
      case .local: nil
      }
    if let reason {
      throw Failure(
        .usage, "the folder \(GivenWord.shown(target.path)) \(reason.why): no program is put there",
        meaning: "anyone who can write there could replace the program that asks for the passphrase",
        hint: reason.hint)
    }
    guard (try? Directory.open(target.path)) != nil else { throw TargetError.noTarget(path: target.path) }
  }

  /// Writes the complete folder, reads it back, and then writes the page that refers to it.
  ///
  /// - Parameters:
  ///   - key: signs the list of digests; nil leaves it unsigned.
  ///   - state: remembers the program first, so that an interrupted one is known.
  /// - Returns: the program as it is on the disk, and whether it was written or already there.
  /// - Throws: exit status 40 if the same version exists with other bytes.
  func place(signedWith key: SigningKey?, _ state: LockedState) throws -> (
    program: BundledProgram, step: Step
  ) {
    let directory = try Directory.open(target.path)
    let name = ProgramBeside.folderName(sources.version)
    for digest in [sources.digest, sources.pageDigest].compactMap(\.self) {
      try state.note(program: digest, version: sources.version)
    }
    removeAbandoned(directory)
    let step: Step = try directory.contains(name) ? .keep : .write
    if step == .write { try write(name, key, in: directory) }
    let folder = "\(target.path)/\(name)"
    let program: BundledProgram
    switch BundledProgram.read(from: folder, sources) {
    case .success(let found): program = found
    case .failure where step == .write: throw TargetError.readBackDiffers(path: folder)
    case .failure(let difference):
      throw Failure(
        .wouldOverwrite, "\(folder) \(difference.words)",
        meaning: "a kit on paper may have its digest, so it was left as it is",
        hint: "compare its digest with your kits. If none has it, remove the folder and bundle again")
    }
    let page = StartHere(program)
    for bytes in [page.text, page.html] {
      try state.note(program: SHA256.hash(bytes), version: StartHere.stateName)
    }
    try directory.writeWhole(page.text, as: StartHere.textName, permissions: 0o644, replacing: true)
    try directory.writeWhole(page.html, as: StartHere.htmlName, permissions: 0o644, replacing: true)
    return (program, step)
  }

  private func write(_ name: String, _ key: SigningKey?, in directory: borrowing Directory) throws {
    let temporary = ".\(name).tmp"
    let list = sources.list
    // The disk may later be used by another user.
    try Directory.makeDirectories("\(target.path)/\(temporary)", permissions: 0o755)
    do {
      let folder = try directory.openDirectory(temporary)
      for file in sources.files {
        try folder.writeWhole(file.bytes, as: file.path, permissions: file.permissions, replacing: false)
      }
      if let key {
        let comment = "\(ProgramBeside.name) \(sources.version)"
        let signature = try FileSignature.sign(list, comment: comment, with: key)
        try folder.writeWhole(
          [UInt8](signature.utf8), as: ProgramBeside.signature, permissions: 0o644, replacing: false)
      }
      try folder.writeWhole(list, as: ProgramBeside.list, permissions: 0o644, replacing: false)
      _ = try folder.sync()
      try directory.rename(temporary, to: name, replacing: false)
      _ = try directory.sync()
    } catch {
      try? directory.removeTree(temporary)
      throw error
    }
  }

  /// Removes the leftovers of an interrupted run.
  ///
  /// The state's lock excludes other runs.
  private func removeAbandoned(_ directory: borrowing Directory) {
    let names = ((try? directory.list()) ?? []).compactMap(\.text)
    for name in names where name.wholeMatch(of: #/\.fueki-restore-[\d.]+\.tmp/#) != nil {
      try? directory.removeTree(name)
    }
  }
}
