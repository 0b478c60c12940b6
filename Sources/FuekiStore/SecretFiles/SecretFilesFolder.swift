internal import FuekiCrypto
internal import FuekiSystem

/// The folder of a data directory in which secret files lie, sealed.
enum SecretFilesFolder {
  static func path(of sealed: SealedFile, in directory: String) -> String {
    "\(DataDirectory.secretFilesPath(in: directory))/\(sealed.fileName)"
  }

  static func open(in directory: String) throws(SystemError) -> Directory {
    try Directory.open(directory).openDirectory(DataDirectory.secretFilesName)
  }

  /// Opens the folder, and makes it, 0700, where it is missing.
  static func make(in directory: String) throws(SystemError) -> Directory {
    let parent = try Directory.open(directory)
    if try !parent.contains(DataDirectory.secretFilesName) {
      try parent.makeDirectory(DataDirectory.secretFilesName)
      try parent.sync()
    }
    return try parent.openDirectory(DataDirectory.secretFilesName)
  }

  /// The names of the sealed files that lie there; none where there is no folder.
  static func names(in directory: String) throws(SystemError) -> [String] {
    do {
      return try open(in: directory).list().compactMap { entry in
        guard entry.kind == .file, let text = entry.text, isName(text) else { return nil }
        return text
      }
    } catch let error where error.isNotFound {
      return []
    }
  }

  /// Removes sealed files that no keychain has any more: what a newer one replaced, and what runs that were killed had
  /// begun.
  static func removeAll(but kept: [SealedFile], in directory: String) throws(SystemError) {
    let names = Set(kept.map(\.fileName))
    for name in try Self.names(in: directory) where !names.contains(name) {
      try open(in: directory).remove(name)
    }
  }

  // Nothing else in the folder is this program's.
  private static func isName(_ text: String) -> Bool {
    text.hasSuffix(SealedFileLayout.suffix)
      && Hex.decode(text.dropLast(SealedFileLayout.suffix.count))?.count == SealedFileLayout.nameBytes
  }
}
