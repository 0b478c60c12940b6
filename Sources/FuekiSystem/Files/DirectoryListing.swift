internal import Glibc

/// One name in a directory.
public struct DirectoryEntry: Sendable, Hashable {
  /// The name's bytes, which need not be UTF-8.
  public let name: [UInt8]
  /// What kind of thing it is; a symbolic link is not followed.
  public let kind: FileKind
  /// The name for people and for comparison with names of our own; nil where it is not UTF-8.
  public var text: String? { String(validating: name, as: UTF8.self) }
}

extension Directory {
  /// The entries, without `.` and `..`, in the order of their bytes.
  public borrowing func list() throws(SystemError) -> [DirectoryEntry] {
    let watch = StallWatch.begin(path)
    defer { StallWatch.end(watch) }
    let path = path
    // A descriptor of its own: the stream takes it over, and reading moves its position.
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

  /// The kind that the listing gave or, where it gave none, that of the entry itself; nil if it has gone
  /// meanwhile.
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
  // Through the entry's address and not the field's: names may be longer than the declared array.
  let start = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: UInt8.self)
  let length = unsafe strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
  return unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
}
