internal import Glibc

/// How another user, except root, can change a file's contents.
public enum ForeignHand: Equatable, Sendable {
  /// The group or all users may write to the file.
  case writableFile(path: String)
  /// The group or all users may replace the file through this directory in its path.
  case writableFolder(path: String)
  /// The file or a directory in its path belongs to another user.
  case owner(path: String, user: UInt32)
}

extension File {
  /// Returns how another user can change this file's contents; nil if none can.
  ///
  /// Everything in the path from the root is checked, including symbolic links and their targets: a user who
  /// can write to any of it can substitute a file. In a directory with the sticky bit, such as `/tmp`, users
  /// can replace only their own files.
  ///
  /// - Parameter trustsOwners: whether the owners of the file and of its path may change it, whoever they are.
  /// - Returns: the first way that is found.
  /// - Throws: system errors, also for a file that was replaced meanwhile.
  public borrowing func foreignHand(trustsOwners: Bool = false) throws(SystemError) -> ForeignHand? {
    let status = try status()
    let owners = trustsOwners ? nil : try Self.owners()
    // A descriptor passed to the process, such as a shell's pipe, has no path to check.
    guard !Self.isGiven(path) else {
      if let owners, !owners.contains(status.owner) { return .owner(path: path, user: status.owner) }
      return status.kind == .file && Self.isWritable(status) ? .writableFile(path: path) : nil
    }
    var way = Way(path, owners)
    if let hand = try way.walk() { return hand }
    // The checked path must still lead to the opened file.
    guard try Way.status(of: way.place).isSameFile(as: status) else {
      throw SystemError(code: EBUSY, call: "open", path: path, explanation: "it was replaced meanwhile")
    }
    return nil
  }

  /// Returns this user, root, and the owner of the root directory, who is root in a user namespace.
  private static func owners() throws(SystemError) -> Set<UInt32> {
    [geteuid(), 0, try Way.status(of: "/").owner]
  }

  private static func isGiven(_ path: String) -> Bool {
    ["/dev/null", "/dev/stdin"].contains(path)
      || ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) && !path.contains("..") }
  }

  fileprivate static func isWritable(_ status: FileStatus) -> Bool { status.permissions & 0o022 != 0 }
}

/// A path, walked from the root like the kernel does.
private struct Way {
  private static let mostLinks = 40
  /// The users to whom it may belong; nil for any.
  private let owners: Set<UInt32>?
  /// The remaining parts, the next one last.
  private var parts: [Substring]
  /// The path walked so far, which has no links.
  private(set) var place = "/"

  init(_ path: String, _ owners: Set<UInt32>?) {
    self.owners = owners
    let folder = path.hasPrefix("/") ? "" : CurrentProcess.folder ?? ""
    parts = "\(folder)/\(path)".split(separator: "/").reversed()
  }

  mutating func walk() throws(SystemError) -> ForeignHand? {
    var linkCount = 0
    if let hand = judge("/", try Self.status(of: "/")) { return hand }
    while let part = parts.popLast() {
      if part == "." { continue }
      if part == ".." {
        place = PathParts(place).folder
        continue
      }
      let next = place == "/" ? "/\(part)" : "\(place)/\(part)"
      let status = try Self.status(of: next)
      if let hand = judge(next, status) { return hand }
      guard status.kind == .symbolicLink else {
        place = next
        continue
      }
      linkCount += 1
      guard linkCount <= Self.mostLinks else { throw SystemError(code: ELOOP, call: "readlink", path: next) }
      let target = try Self.target(of: next)
      if target.hasPrefix("/") { place = "/" }
      parts += target.split(separator: "/").reversed()
    }
    return nil
  }

  private func judge(_ path: String, _ status: FileStatus) -> ForeignHand? {
    if let owners, !owners.contains(status.owner) { return .owner(path: path, user: status.owner) }
    switch status.kind {
    // A link's permissions have no meaning: anyone appears able to write to it.
    case .symbolicLink: return nil
    case .directory:
      let isSticky = status.permissions & 0o1000 != 0
      return File.isWritable(status) && !isSticky ? .writableFolder(path: path) : nil
    case .file, .other: return File.isWritable(status) ? .writableFile(path: path) : nil
    }
  }

  /// Returns the status of a path, or of the link there.
  ///
  /// No directory is opened, so execute permission is enough for directories in the path.
  static func status(of path: String) throws(SystemError) -> FileStatus {
    let name = try CPath(path)
    var status = stat()
    _ = try systemCall("lstat", path) { unsafe name.withPointer { unsafe lstat($0, &status) } }
    return FileStatus(status)
  }

  private static func target(of link: String) throws(SystemError) -> String {
    let name = try CPath(link)
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let capacity = bytes.count
    let count = try systemCall("readlink", link) {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
        return unsafe name.withPointer { unsafe readlink($0, base, capacity) }
      }
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
