internal import FuekiCrypto
internal import FuekiSystem

/// The directory of sealed secret files in a data directory.
enum SecretFilesFolder {
  static func path(of sealed: SealedFile, in directory: String) -> String {
    "\(DataDirectory.secretFilesPath(in: directory))/\(sealed.fileName)"
  }

  static func open(in directory: String) throws(SystemError) -> Directory {
    try Directory.open(directory).openDirectory(DataDirectory.secretFilesName)
  }

  /// Opens the directory, creating it, 0700, if missing.
  static func make(in directory: String) throws(SystemError) -> Directory {
    let parent = try Directory.open(directory)
    if try !parent.contains(DataDirectory.secretFilesName) {
      try parent.makeDirectory(DataDirectory.secretFilesName)
      try parent.sync()
    }
    return try parent.openDirectory(DataDirectory.secretFilesName)
  }

  /// Returns the names of the sealed files; empty without a directory.
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

  /// Removes sealed files without a keychain: those of replaced versions, and leftovers of killed runs.
  static func removeAll(but kept: [SealedFile], in directory: String) throws(SystemError) {
    let names = Set(kept.map(\.fileName))
    for name in try Self.names(in: directory) where !names.contains(name) {
      try open(in: directory).remove(name)
    }
  }

  // Other files in the directory are not this program's.
  private static func isName(_ text: String) -> Bool {
    text.hasSuffix(SealedFileLayout.suffix)
      && Hex.decode(text.dropLast(SealedFileLayout.suffix.count))?.count == SealedFileLayout.nameBytes
  }
}
