internal import FuekiSystem

/// Writes records of secret files to one sealed file each, before a keychain refers to them.
///
/// A file whose parts are not consecutive becomes several. Unless ``keep()`` is called, the files are removed
/// at release.
final class SecretFileWriting {
  private let directory: String
  private var current: SealedFileWriter?
  private var finished: [SealedFile] = []
  private var names: [String] = []
  private var isKept = false

  init(in directory: String) { self.directory = directory }

  /// Appends a record's message to its file.
  func add(_ message: Span<UInt8>, id: [UInt8]) throws(KeychainError) {
    if let current, current.id == id { return try current.append(message) }
    try close()
    let writer = try SealedFileWriter(for: id, in: directory)
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
