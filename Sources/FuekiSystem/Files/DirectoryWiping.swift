internal import CProcess

extension Directory {
  /// Whether data written here stays in memory, though it may be swapped out.
  public borrowing func isInMemory() throws(SystemError) -> Bool {
    let path = path
    return try systemCall("fstatfs", path) { fueki_is_in_memory(descriptor) } == 1
  }

  /// Overwrites every file of an entry with zeros, and removes it.
  ///
  /// In memory this destroys the contents. A disk may keep older versions of its blocks.
  public borrowing func wipeTree(_ name: some PathBytes) throws(SystemError) {
    switch try status(of: name).kind {
    case .directory: try wipeContents(of: name)
    case .file: try openFileForWriting(name).overwriteWithZeros()
    case .symbolicLink, .other: break
    }
    try removeTree(name)
  }

  private borrowing func wipeContents(of name: some PathBytes) throws(SystemError) {
    let directory = try openDirectory(name)
    for entry in try directory.list() { try directory.wipeTree(entry.name) }
  }
}

extension File {
  fileprivate func overwriteWithZeros() throws(SystemError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    let size = try size()
    var offset: UInt64 = 0
    while offset < size {
      let count = Int(min(size - offset, UInt64(zeros.count)))
      try pwriteAll(zeros.span.extracting(0..<count), at: offset)
      offset += UInt64(count)
    }
    try sync()
  }
}
