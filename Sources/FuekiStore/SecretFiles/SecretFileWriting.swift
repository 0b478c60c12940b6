internal import FuekiSystem

/// Writes records of secret files to sealed files, before a keychain refers to them.
///
/// Unless ``keep()`` is called, the files are removed at release.
final class SecretFileWriting {
  private let directory: String
  private var current: SealedFileWriter?
  /// The id of the last record.
  private var id: [UInt8] = []
  private var finished: [SealedFile] = []
  private var names: [String] = []
  private var isKept = false

  init(in directory: String) { self.directory = directory }

  /// Appends a record's message, whose id is that of its file.
  func add(_ message: Span<UInt8>, id: [UInt8]) throws(KeychainError) {
    if let current, current.position < SealedFileLayout.byteCount || id == self.id {
      self.id = id
      return try current.append(message)
    }
    try close()
    self.id = id
    let writer = try SealedFileWriter(in: directory)
    names.append(writer.fileName)
    current = writer
    try writer.append(message)
  }

  /// Finishes the last file, and waits until all of them are durable under their names.
  func finish() throws(KeychainError) -> [SealedFile] {
    try close()
    guard !finished.isEmpty else { return [] }
    do {
      try SecretFilesFolder.open(in: directory).sync()
    } catch {
      throw .system(error)
    }
    return finished
  }

  /// Keeps the files, because a keychain now refers to them.
  func keep() { isKept = true }

  private func close() throws(KeychainError) {
    guard let writer = current else { return }
    current = nil
    finished.append(try writer.finish())
  }

  deinit {
    guard !isKept, !names.isEmpty, let folder = try? SecretFilesFolder.open(in: directory) else { return }
    for name in names { try? folder.remove(name) }
  }
}
