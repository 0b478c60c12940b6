internal import Glibc

extension Directory {
  /// Returns the entries without `.` and `..`, ordered by their bytes.
  public borrowing func list() throws(SystemError) -> [DirectoryEntry] {
    let watch = StallWatch.begin(path)
    defer { StallWatch.end(watch) }
    let path = path
    // The stream needs its own descriptor, because it takes ownership, and reading moves the position.
    let copy = try systemCall("openat", path) {
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      _ = close(copy)
      throw SystemError(code: code, call: "fdopendir", path: path)
    }
    defer { _ = unsafe closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw SystemError(code: errno, call: "readdir", path: path) }
        break
      }
      let name = unsafe nameBytes(of: entry)
      if name == [46] || name == [46, 46] { continue }
      if let kind = try unsafe kind(entry.pointee.d_type, of: name) {
        entries.append(DirectoryEntry(name: name, kind: kind))
      }
    }
    return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Returns the kind from the listing or, if it has none, from the entry itself; nil if it was removed.
  private borrowing func kind(_ type: UInt8, of name: [UInt8]) throws(SystemError) -> FileKind? {
    switch Int(type) {
    case DT_REG: return .file
    case DT_DIR: return .directory
    case DT_LNK: return .symbolicLink
    case DT_UNKNOWN:
      do {
        return try status(of: name).kind
      } catch let error where error.code == ENOENT {
        return nil
      }
    default: return .other
    }
  }
}

private func nameBytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
  guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
  // Read from the entry's address rather than the field, because names may exceed the declared array.
  let start = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: UInt8.self)
  let length = unsafe strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
  return unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
}
