internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A new file with a secret in it, which only its owner can read.
enum NewPrivateFile {
  /// Writes the file, as a whole or not at all.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` where something of that name is there.
  static func write(_ secret: borrowing SecretBytes, to path: String) throws {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? ""
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
    do {
      try secret.withBytes { bytes in try Directory.open(parent).writeWhole(bytes, as: name, replacing: false)
      }
    } catch let error as SystemError where error.isAlreadyThere {
      throw PlaceError.wouldOverwrite(path: path)
    }
  }
}
