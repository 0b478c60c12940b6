internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// An archive on its way into a target: removed again unless it is published.
final class TemporaryArchive: Delivery {
  private let directory: Directory
  private var name: String
  let file: ArchiveFile
  private var isPublished = false
  private let unfinished: UnfinishedFile
  /// The guarantees that the file system lacks, as far as checked.
  private(set) var warnings: [TargetWarning] = []

  /// Where the file is now.
  var path: String { directory.path + "/" + name }

  /// - Parameters:
  ///   - folder: where to make the file.
  ///   - machine: the machine's id, so that its next run recognizes its own leftovers.
  /// - Throws: ``TargetError/noTarget(path:)`` if the folder does not exist, `SystemError` if it is not writable.
  init(in folder: FolderStorage, machine: String) throws {
    name = TemporaryName.make(for: machine)
    directory = try folder.open()
    unfinished = UnfinishedFile(name, in: directory)
    let created = try directory.createFile(name)
    let hasPermissions = created.hasRequestedPermissions
    file = ArchiveFile(created)
    if !hasPermissions { warn(.permissions) }
  }

  deinit {
    guard !isPublished else { return }
    try? directory.remove(name)
  }

  /// Makes the file durable, reads every byte of it back, and compares it with the intended bytes.
  func readBack(_ digest: Digest, progress: (UInt64) throws -> Void) throws -> IntactArchive {
    do {
      try file.sync()
    } catch let error where error.isUnsupported {
      warn(.fileNotSynced)
    }
    let report = try StoredArchive(reading: ArchiveFile(try directory.openFile(name))).verify(
      progress: progress)
    guard let intact = report.intact, report.damage.isEmpty, intact.digest == digest else {
      throw TargetError.readBackDiffers(path: path)
    }
    return intact
  }

  /// Assigns the archive's final name, without replacing anything, and makes the name durable.
  ///
  /// - Returns: its new path.
  func publish(as name: String) throws -> String { try publish(as: name, replacing: false) }

  /// Assigns the archive's final name, and replaces a file of that name on request.
  func publish(as name: String, replacing: Bool) throws -> String {
    try directory.rename(self.name, to: name, replacing: replacing)
    self.name = name
    isPublished = true
    if try !directory.sync() { warn(.nameNotSynced) }
    return path
  }

  private func warn(_ kind: TargetWarning.Kind) {
    warnings.append(TargetWarning(path: ExactText(directory.path), kind: kind))
  }

  /// Copies an archive that was read back into this file.
  func copy(from source: IntactArchive, progress: (UInt64) throws -> Void) throws {
    try source.copyBytes(to: file, progress: progress)
  }
}
