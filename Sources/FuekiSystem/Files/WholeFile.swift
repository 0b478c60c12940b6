internal import Glibc

extension Directory {
  private static let suffix = ".tmp"

  /// Returns the prefix of a temporary file's name, shortened to leave room for the suffix.
  private static func prefix(of name: String) -> String {
    var head = Substring(name)
    while head.utf8.count > 200 { head.removeLast() }
    return ".\(head)."
  }

  /// Writes a file atomically, and makes it durable.
  ///
  /// It is written under a unique temporary name, read back, and renamed. Leftovers of interrupted runs are
  /// removed first.
  ///
  /// - Parameters:
  ///   - bytes: all of the contents.
  ///   - name: the final name.
  ///   - permissions: the permissions, whatever the umask.
  ///   - replacing: whether an existing file of that name is replaced.
  /// - Throws: an error with ``SystemError/isAlreadyThere`` if the name is taken and not replaced; errors of
  ///   writing and reading, which leave nothing behind.
  public borrowing func writeWhole(
    _ bytes: Span<UInt8>, as name: String, permissions: UInt16 = 0o600, replacing: Bool
  ) throws(SystemError) {
    try writeWhole(as: name, permissions: permissions, replacing: replacing) { (give) throws(SystemError) in
      try give(bytes)
    }
  }

  /// Writes a file in pieces as ``writeWhole(_:as:permissions:replacing:)-(Span<UInt8>,_,_,_)`` does.
  ///
  /// - Parameters:
  ///   - name: the final name.
  ///   - permissions: the permissions, whatever the umask.
  ///   - replacing: whether an existing file of that name is replaced.
  ///   - pieces: generates the contents piece by piece; called twice, because they are compared with the
  ///     file.
  /// - Throws: the other method's errors, and those of `pieces`.
  public borrowing func writeWhole(
    as name: String, permissions: UInt16 = 0o600, replacing: Bool, pieces: Pieces
  ) throws(SystemError) {
    removeAbandoned(of: name)
    let temporary =
      "\(Self.prefix(of: name))\(String(UInt64.random(in: .min ... .max), radix: 16))\(Self.suffix)"
    do {
      try write(pieces, to: temporary, permissions)
      try rename(temporary, to: name, replacing: replacing)
    } catch {
      try? remove(temporary)
      throw error
    }
    try sync()
  }

  /// Generates a file's contents from start to end.
  public typealias Pieces =
    (_ give: (Span<UInt8>) throws(SystemError) -> Void) throws(SystemError) -> Void

  /// Writes all bytes of an array as ``writeWhole(_:as:permissions:replacing:)-(Span<UInt8>,_,_,_)`` does.
  public borrowing func writeWhole(
    _ bytes: [UInt8], as name: String, permissions: UInt16 = 0o600, replacing: Bool
  ) throws(SystemError) {
    try writeWhole(bytes.span, as: name, permissions: permissions, replacing: replacing)
  }

  private borrowing func write(
    _ pieces: Pieces, to name: String, _ permissions: UInt16
  ) throws(SystemError) {
    let file = try createFile(name, permissions: permissions)
    // The writer holds a lock, so that other runs do not mistake the file for a leftover.
    _ = try? file.tryLockExclusive()
    var length: UInt64 = 0
    try pieces { (piece) throws(SystemError) in
      try file.pwriteAll(piece, at: length)
      length += UInt64(piece.count)
    }
    try file.sync()
    var compared: UInt64 = 0
    var isSame = try file.size() == length
    try pieces { (piece) throws(SystemError) in
      if isSame { isSame = try file.holds(piece, at: compared) }
      compared += UInt64(piece.count)
    }
    guard isSame, compared == length else { throw SystemError(code: EIO, call: "pread", path: file.path) }
  }

  /// Removes leftovers of interrupted writes of a file.
  public borrowing func removeAbandoned(of name: String) {
    guard let entries = try? list() else { return }
    for entry in entries where entry.kind == .file {
      guard let found = entry.text, found.hasPrefix(Self.prefix(of: name)), found.hasSuffix(Self.suffix),
        let file = try? openFile(found), (try? file.tryLockExclusive()) == true
      else { continue }
      try? remove(found)
    }
  }
}

extension File {
  /// Whether the file has these bytes at an offset within it.
  ///
  /// They are compared in the kernel's cache, without copying possible secrets.
  fileprivate borrowing func holds(_ bytes: Span<UInt8>, at offset: UInt64) throws(SystemError) -> Bool {
    let descriptor = descriptor
    // A mapping starts at a page boundary.
    let before = Int(offset % UInt64(getpagesize()))
    let start = try fileOffset(offset - UInt64(before), path)
    let (answer, code) = unsafe bytes.withUnsafeBufferPointer { buffer -> (Bool, Int32) in
      guard let base = buffer.baseAddress, buffer.count > 0 else { return (true, 0) }
      let length = before + buffer.count
      guard let pages = unsafe mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, start),
        unsafe pages != MAP_FAILED
      else { return (false, errno) }
      defer { _ = unsafe munmap(pages, length) }
      return (unsafe memcmp(pages + before, base, buffer.count) == 0, 0)
    }
    // A file system without mappings is not retried.
    guard code == 0 || code == ENODEV || code == EACCES else {
      throw SystemError(code: code, call: "mmap", path: path)
    }
    return answer || code != 0
  }
}
