internal import FuekiArchive
internal import FuekiSystem

/// The recovery files of an archive, made before it is published, on their way into the targets.
struct MadeParity {
  let folder: ParityFolder
  let files: [ParityFile]

  /// Makes the recovery files of an archive that was written and read back.
  ///
  /// - Parameters:
  ///   - amount: the amount that may be lost.
  ///   - path: the archive's file on this machine, which is only read.
  ///   - name: the archive's future name, which the recovery files contain.
  ///   - state: holds the folder for the work.
  ///   - progress: receives hundredths. An error that it throws ends the work.
  /// - Throws: ``MendError``, `SystemError`, and errors from `progress`.
  init(
    _ amount: ParityAmount, of path: String, name: String, state: LockedState,
    progress: (Int) throws -> Void
  ) throws {
    let folder = try ParityFolder(in: state)
    try folder.link(path, as: name)
    let byteCount = try ArchiveFile.open(at: path).byteCount()
    let blocks = amount.blocks(of: byteCount)
    let options = ["-s\(blocks.byteCount)", "-c\(blocks.recovery)", "-n1"]
    let outcome = try PAR2(in: folder, byteCount: byteCount).run(
      "create", options, on: ["\(name).par2", name], progress: progress)
    files = try folder.parity(of: name)
    guard outcome.status == 0, files.count > 1 else { throw MendError.programFailed(said: outcome.output) }
    self.folder = folder
  }
}

extension FolderStorage {
  func put(_ parity: MadeParity, machine: String) throws {
    let directory = try open()
    let made = try parity.folder.open()
    for file in parity.files {
      guard !isAppendOnly else {
        let copy = try directory.createFile(file.name)
        try made.copyBytes(of: file.name, to: copy)
        try copy.sync()
        continue
      }
      let temporary = TemporaryName.make(for: machine)
      let copy = try directory.createFile(temporary)
      do {
        try made.copyBytes(of: file.name, to: copy)
        do { try copy.sync() } catch let error where error.isUnsupported {}
        try directory.rename(temporary, to: file.name, replacing: false)
      } catch {
        try? directory.remove(temporary)
        throw error
      }
    }
    try directory.sync()
  }
}

extension RcloneStorage {
  func put(_ parity: MadeParity, machine: String) throws {
    let taken = Set(try list().map { ExactText($0.name) })
    for file in parity.files {
      let place = folder.child(file.name)
      guard !taken.contains(ExactText(file.name)) else {
        throw SystemError(.alreadyThere, call: "rclone copyto", path: place.text)
      }
      let source = "\(parity.folder.path)/\(file.name)"
      var command = RcloneCommand(
        "copyto", ["--ignore-times"], places: [source, place.place], subject: place)
      command.patience = 5 * command.patience + Double(file.byteCount) / 16_384
      _ = try command.output()
    }
    let items = try list()
    for file in parity.files {
      guard
        items.contains(where: {
          ExactText($0.name) == ExactText(file.name) && UInt64(clamping: $0.size) == file.byteCount
        })
      else { throw TargetError.readBackDiffers(path: folder.child(file.name).text) }
    }
  }
}

extension Directory {
  /// Copies a file of this folder into another, from its start.
  borrowing func copyBytes(of name: String, to copy: borrowing File) throws(SystemError) {
    let source = try openFile(name)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var position: UInt64 = 0
    while true {
      let count = try source.pread(into: &buffer, at: position)
      guard count > 0 else { return }
      try copy.pwriteAll(buffer.span.extracting(0..<count), at: position)
      position += UInt64(count)
    }
  }
}
