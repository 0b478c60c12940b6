internal import FuekiCrypto
internal import FuekiSystem

/// Files with a secret in them, which go from the disk or from another program into memory that is wiped.
enum PrivateFile {
  private static let pipeBytes = 4096

  /// Reads all bytes of a file or of a named pipe, as the shell's `<(…)` makes one.
  ///
  /// - Parameters:
  ///   - path: of a file that only its owner can read.
  ///   - most: the most bytes that it may have.
  /// - Returns: the bytes; nil if there are more.
  /// - Throws: ``CommandError``, and errors of reading.
  static func bytes(_ path: String, atMost most: Int) throws -> SecretBytes? {
    let file = try SecretSource.privateFile(path)
    let status = try file.status()
    guard status.kind != .file else {
      guard let count = Int(exactly: status.size), count <= most else { return nil }
      return try SecretBytes(count: count) { buffer in
        // A descriptor that was handed over may have been read before.
        guard try file.pread(into: &buffer, at: 0) == count else {
          throw CommandError.secretUnreadable(source: path, reason: "it changed while it was read")
        }
      }
    }
    // The length of a pipe's text is known at its end.
    var bytes = try SecretBytes(count: 0)
    while true {
      var part = try SecretBytes(count: max(pipeBytes, bytes.count))
      let count = try part.withMutableBytes { part in try file.read(into: &part) }
      guard bytes.count + count <= most else { return nil }
      bytes = try joined(bytes, part, count)
      guard count == part.count else { return bytes }
    }
  }

  private static func joined(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes, _ count: Int
  ) throws -> SecretBytes {
    try SecretBytes(count: first.count + count) { joined in
      first.withBytes { bytes in
        for index in bytes.indices { joined[index] = bytes[index] }
      }
      second.withBytes { bytes in
        for index in 0..<count { joined[first.count + index] = bytes[index] }
      }
    }
  }
}

/// Small text files with a secret in them, which go from the disk into memory that is wiped.
enum PrivateText {
  private static let mostBytes = 1 << 16

  /// A file's text as UTF-8 without a byte order mark.
  ///
  /// - Parameters:
  ///   - path: of a file that only its owner can read.
  ///   - kind: the rest of "it is too long for".
  /// - Returns: the text, in memory that is wiped.
  /// - Throws: ``CommandError/secretUnreadable(source:reason:)``, and what reading throws.
  static func read(_ path: String, as kind: String) throws -> SecretBytes {
    guard let saved = try PrivateFile.bytes(path, atMost: mostBytes) else {
      throw CommandError.secretUnreadable(source: path, reason: "it is too long for \(kind)")
    }
    guard let text = try utf8(saved) else {
      throw CommandError.secretUnreadable(source: path, reason: "it is damaged UTF-16: save it as UTF-8")
    }
    return text
  }

  /// A saved text as UTF-8 without its mark; nil for damaged UTF-16.
  static func utf8(_ saved: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    var text = try SecretBytes(count: SavedText.capacity(for: saved.count))
    let count = text.withMutableBytes { text in saved.withBytes { SavedText.write($0, asUTF8: &text) } }
    guard let count else { return nil }
    return try text.copy(0..<count)
  }
}

/// Files that determine the readers of backups and the trusted signers: recipients, guardians, signers, the
/// configuration.
///
/// They are not secret, but anyone who can change them can add a key of their own.
enum TrustedFile {
  /// Opens one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isPublicKey: whether it has only public keys of signers, as a checkout of another user has.
  /// - Returns: the file.
  /// - Throws: ``CommandError/othersCanChange(path:_:risk:)`` if anyone but the user, or for public keys the file's
  ///   owner, can write to it; and system errors.
  static func open(_ path: String, isPublicKey: Bool = false) throws -> File {
    let risk = "add their own key"
    let file = try File.open(path)
    if let hand = try file.foreignHand(trustsOwners: isPublicKey) {
      throw CommandError.othersCanChange(path: path, hand, risk: risk)
    }
    return file
  }
}

extension ForeignHand {
  /// Returns the way that others can change a file, in lower case and without a full stop.
  func sentence(_ path: String) -> String {
    switch self {
    case .writableFile(let file): "others can change \(path)" + (file == path ? "" : ", which is \(file)")
    case .writableFolder(let folder):
      "others can replace \(path), because they can write to the folder \(folder)"
    case .owner(let place, let user):
      place == path
        ? "another user can change \(path), which belongs to user \(user)"
        : "another user can change \(path), because \(place) belongs to user \(user)"
    }
  }

  /// The command that corrects it.
  var remedy: String {
    switch self {
    case .writableFile(let path), .writableFolder(let path): "chmod go-w \(ShellWord.quoted(path))"
    case .owner(let folder, let user) where (try? FileStatus.of(folder))?.kind == .directory:
      // A folder that changes hands, such as a home, is lost to its owner.
      CurrentUser.identifier == 0
        ? "run this as \(Account.name(of: user) ?? "user \(user)"), without sudo, or with root's own home: sudo -H"
        : "use a copy in a folder that belongs to you"
    case .owner(let path, _):
      "chown \(Account.current ?? "root") \(ShellWord.quoted(path)), or use a copy that belongs to you"
    }
  }
}

/// Files that another process of this program opened, because the user named them while this one was in its sandbox.
enum HandedFiles {
  private static let descriptors = Locked<[ExactText: Int32]>([:])

  /// Keeps an open file until the end of the run.
  static func keep(_ descriptor: Int32, as path: String) {
    descriptors.withLock { $0[ExactText(path)] = descriptor }
  }

  /// Returns the descriptor of a file; nil if none was handed over under this path.
  static func descriptor(of path: String) -> Int32? { descriptors.withLock { $0[ExactText(path)] } }
}
