internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Reads and writes the file `keychain.sealed` of a data directory.
enum KeychainFile {
  static func read(in directory: String) throws(KeychainError) -> [UInt8] {
    let path = DataDirectory.keychainPath(in: directory)
    do {
      let file = try Directory.open(directory).openFile(DataDirectory.keychainName)
      guard try file.size() <= UInt64(KeychainLayout.fileLimit) else {
        throw KeychainError.overLimit(path: path)
      }
      return try file.readAll(limit: KeychainLayout.fileLimit)
    } catch let error as SystemError {
      throw error.isNotFound ? .notThere(path: path) : .system(error)
    } catch let error as KeychainError {
      throw error
    } catch {
      throw .damaged(path: path)
    }
  }

  static func stamp(in directory: String) throws(KeychainError) -> KeychainStamp? {
    do {
      let file = try Directory.open(directory).openFile(DataDirectory.keychainName)
      var head = [UInt8](repeating: 0, count: KeychainLayout.headBytes)
      guard try file.pread(into: &head, at: 0) == head.count, head.starts(with: KeychainLayout.magic) else {
        throw KeychainError.damaged(path: DataDirectory.keychainPath(in: directory))
      }
      return KeychainStamp(
        generation: head.span.littleEndian(UInt64.self, at: 16), writeSalt: head.span.array(40..<56))
    } catch let error as SystemError {
      if error.isNotFound { return nil }
      throw .system(error)
    } catch let error as KeychainError {
      throw error
    } catch {
      throw .damaged(path: DataDirectory.keychainPath(in: directory))
    }
  }

  /// Writes a keychain's bytes atomically, even in case of a power failure.
  static func write(_ bytes: [UInt8], in directory: String, replacing: Bool) throws(KeychainError) {
    do {
      try Directory.open(directory).writeWhole(bytes, as: DataDirectory.keychainName, replacing: replacing)
    } catch let error where error.isAlreadyThere && !replacing {
      throw .alreadyThere(path: DataDirectory.keychainPath(in: directory))
    } catch {
      throw .system(error)
    }
  }
}
