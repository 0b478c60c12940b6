internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// A data directory from before a restore, kept next to its replacement.
public struct PreviousDirectory: Equatable, Sendable {
  /// Its path.
  public let path: String
  /// The total size of its files in bytes.
  public let bytes: UInt64

  /// Returns the name for a kept directory: a timestamp without separators and fraction.
  static func name(of directory: String, at time: Int64) -> String {
    let text = Timestamp(microseconds: time).text
    return prefix(directory) + text.prefix { $0 != "." && $0 != "Z" }.filter { $0 != "-" && $0 != ":" } + "Z"
  }

  private static func prefix(_ directory: String) -> String { "\(directory).before-restore-" }

  /// Returns all directories kept next to a data directory, oldest first.
  public static func all(besideDataDirectory path: String) throws -> [PreviousDirectory] {
    let (parent, name) = try DataDirectory.split(path)
    let folder = try Directory.open(parent)
    return try folder.list().compactMap { entry in
      guard entry.kind == .directory, let text = entry.text, isOne(text, of: name) else { return nil }
      return PreviousDirectory(
        path: parent == "/" ? "/\(text)" : "\(parent)/\(text)",
        bytes: try bytes(in: folder.openDirectory(text)))
    }
  }

  /// Checks the replacing wallet: its store, its keychain and its sealed files, without a key.
  ///
  /// - Parameters:
  ///   - path: the data directory.
  ///   - previous: the replaced directories; if one of them has a keychain, the wallet must have one.
  /// - Throws: ``StoreError`` if it is missing or damaged; ``KeychainError/newer(version:path:)``.
  public static func requireSound(
    dataDirectory path: String, inPlaceOf previous: [PreviousDirectory] = []
  ) throws {
    try WalletStore.open(path).close()
    try StoreCheck.run(DataDirectory.storePath(in: path))
    do throws(KeychainError) {
      let keychain = try KeychainEncoding(
        try KeychainFile.read(in: path), path: DataDirectory.keychainPath(in: path))
      let files: Int
      do {
        files = try SecretFilesFolder.names(in: path).count
      } catch {
        throw .system(error)
      }
      guard files >= keychain.sealedFileCount else { throw .damaged(path: path) }
    } catch {
      switch error {
      case .notThere:
        guard try previous.contains(where: { try $0.hasKeychain() }) else { return }
        throw StoreError.noSoundKeychain(path: path)
      case .damaged, .overLimit: throw StoreError.noSoundKeychain(path: path)
      default: throw error
      }
    }
  }

  private func hasKeychain() throws -> Bool {
    try Directory.open(path).contains(DataDirectory.keychainName)
  }

  /// Removes it with all its contents.
  public func remove() throws {
    let (parent, name) = try DataDirectory.split(path)
    let folder = try Directory.open(parent)
    try folder.removeTree(name)
    try folder.sync()
  }

  private static func isOne(_ text: String, of name: String) -> Bool {
    guard text.hasPrefix(prefix(name)) else { return false }
    let rest = text.dropFirst(prefix(name).count)
    let (time, number) = (rest.prefix(16), rest.dropFirst(16))
    let digits = time.filter { $0.isASCII && $0.isNumber }
    guard time.count == 16, digits.count == 14, time.last == "Z", time.dropFirst(8).first == "T" else {
      return false
    }
    // Any other name was given by a user who wants to keep it.
    return number.isEmpty
      || number.first == "-" && number.count > 1 && number.dropFirst().allSatisfy { "0"..."9" ~= $0 }
  }

  private static func bytes(in folder: borrowing Directory) throws -> UInt64 {
    var sum: UInt64 = 0
    for entry in try folder.list() {
      switch entry.kind {
      case .file: sum += try folder.status(of: entry.name).size
      case .directory: sum += try bytes(in: folder.openDirectory(entry.name))
      case .symbolicLink, .other: break
      }
    }
    return sum
  }
}
