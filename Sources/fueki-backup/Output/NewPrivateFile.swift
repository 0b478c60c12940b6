internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A new file with a secret in it, which only its owner can read.
enum NewPrivateFile {
  /// Writes the file, and removes it again where that fails.
  ///
  /// - Throws: ``BackupError/wouldOverwrite(path:)`` where something of that name is there.
  static func write(_ secret: borrowing SecretBytes, to path: String) throws {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? ""
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
    let folder = try Directory.open(parent)
    guard !(try folder.contains(name)) else { throw BackupError.wouldOverwrite(path: path) }
    let file = try folder.createFile(name)
    do {
      try secret.withBytes { try file.pwriteAll($0, at: 0) }
      try file.sync()
      try folder.sync()
    } catch {
      try? folder.remove(name)
      throw error
    }
  }
}
