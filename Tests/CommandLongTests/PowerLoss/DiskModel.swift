import TestSupport

/// The parts of a run's folders that are on the disk.
///
/// Names and bytes are certain to reach it when they are synced, and may reach it before.
struct DiskModel {
  /// The fate of bytes that were written and not synced.
  enum Bytes: CaseIterable {
    /// The file is as long as it was, or as it is, and what is new in it is zeros.
    case zeros
    /// As if they had never been written.
    case dropped
    /// The first half of them arrived.
    case torn
    /// The disk has all of them.
    case kept
  }

  /// The fate of names that were made, changed or removed in a folder without a later sync.
  enum Names: CaseIterable {
    case dropped
    case kept
  }

  private final class File {
    var bytes: [UInt8]
    /// The contents at the last sync; nil before the first.
    var synced: [UInt8]?

    init(_ bytes: [UInt8], synced: [UInt8]?) {
      self.bytes = bytes
      self.synced = synced
    }

    func left(_ fate: Bytes) -> [UInt8] {
      let synced = synced ?? []
      guard bytes != synced else { return bytes }
      switch fate {
      case .zeros:
        let zeros = [UInt8](repeating: 0, count: max(0, bytes.count - synced.count))
        return Array(synced.prefix(bytes.count)) + zeros
      case .dropped: return synced
      case .torn: return Array(bytes.prefix((bytes.count + synced.count) / 2))
      case .kept: return bytes
      }
    }
  }

  private final class Folder {
    var files: [String: File] = [:]
    var synced: [String: File] = [:]
  }

  private enum Descriptor {
    case file(File)
    case folder(Folder)
  }

  private let root: String
  private let folders: [String: Folder]
  private var descriptors: [Int: Descriptor] = [:]

  /// - Parameters:
  ///   - root: the beginning of the calls' paths.
  ///   - folders: the existing folders below it.
  ///   - files: their files, by path below the root, which are on the disk.
  init(root: String, folders: [String], files: [String: [UInt8]]) {
    self.root = root
    var all: [String: Folder] = [:]
    for name in folders {
      let folder = Folder()
      for (path, bytes) in files where path.hasPrefix("\(name)/") {
        folder.files[String(path.dropFirst(name.count + 1))] = File(bytes, synced: bytes)
      }
      folder.synced = folder.files
      all[name] = folder
    }
    self.folders = all
  }

  /// All files as a disk would have them after the power is cut now.
  func left(_ bytes: Bytes, _ names: [String: Names]) -> [String: [UInt8]] {
    var left: [String: [UInt8]] = [:]
    for (name, folder) in folders {
      let files = names[name] == .dropped ? folder.synced : folder.files
      for (file, contents) in files { left["\(name)/\(file)"] = contents.left(bytes) }
    }
    return left
  }

  /// Applies a call; false if it changes no modelled state.
  mutating func take(_ call: LoggedCall) throws -> Bool {
    switch call.name {
    case "openat": return open(call)
    case "close":
      if let number = call.number(0) { descriptors[number] = nil }
      return false
    case "pwrite64":
      guard let file = file(call), let data = call.bytes(1), let offset = call.number(3) else { return false }
      return write(data.prefix(call.answer), to: file, at: offset)
    case "ftruncate":
      guard let file = file(call), let length = call.number(1) else { return false }
      file.bytes = Array(file.bytes.prefix(length))
      file.bytes += [UInt8](repeating: 0, count: length - file.bytes.count)
      return true
    case "fsync", "fdatasync": return sync(call)
    case "renameat", "renameat2": return rename(call)
    case "unlinkat":
      guard let folder = folder(call, 0), let name = call.text(1) else { return false }
      return folder.files.removeValue(forKey: name) != nil
    default:
      // A call that is not modelled may not be met in these folders: the replay would prove nothing.
      let isMet = call.number(0).map { descriptors[$0] != nil } ?? false
      if isMet || place(call.text(0) ?? "") != nil { throw NotModelled(call: call.name) }
      return false
    }
  }

  struct NotModelled: Error {
    let call: String
  }

  private mutating func open(_ call: LoggedCall) -> Bool {
    guard let path = call.text(1) else { return false }
    descriptors[call.answer] = nil
    if let folder = call.number(0).flatMap({ descriptors[$0] }), case .folder(let folder) = folder {
      guard path != "." else {
        descriptors[call.answer] = .folder(folder)
        return false
      }
      return open(path, in: folder, call)
    }
    if let folder = folders[relative(path)] {
      descriptors[call.answer] = .folder(folder)
      return false
    }
    guard let (folder, name) = place(path) else { return false }
    return open(name, in: folder, call)
  }

  private mutating func open(_ name: String, in folder: Folder, _ call: LoggedCall) -> Bool {
    let isNew = folder.files[name] == nil
    guard !isNew || call.has("O_CREAT") else { return false }
    let file = folder.files[name] ?? File([], synced: nil)
    folder.files[name] = file
    if call.has("O_TRUNC") { file.bytes = [] }
    descriptors[call.answer] = .file(file)
    return isNew || call.has("O_TRUNC")
  }

  private func write(_ data: some Collection<UInt8>, to file: File, at offset: Int) -> Bool {
    let end = offset + data.count
    if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
    file.bytes.replaceSubrange(offset..<end, with: data)
    return true
  }

  private func sync(_ call: LoggedCall) -> Bool {
    switch call.number(0).flatMap({ descriptors[$0] }) {
    case .file(let file): file.synced = file.bytes
    case .folder(let folder): folder.synced = folder.files
    case nil: return false
    }
    return true
  }

  private func rename(_ call: LoggedCall) -> Bool {
    guard let from = folder(call, 0), let old = call.text(1), let to = folder(call, 2),
      let new = call.text(3),
      let file = from.files.removeValue(forKey: old)
    else { return false }
    to.files[new] = file
    return true
  }

  private func file(_ call: LoggedCall) -> File? {
    guard case .file(let file) = call.number(0).flatMap({ descriptors[$0] }) else { return nil }
    return file
  }

  private func folder(_ call: LoggedCall, _ place: Int) -> Folder? {
    guard case .folder(let folder) = call.number(place).flatMap({ descriptors[$0] }) else { return nil }
    return folder
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix("\(root)/") ? String(path.dropFirst(root.count + 1)) : path
  }

  /// The folder that a path leads into, where it is one of the modelled.
  private func place(_ path: String) -> (Folder, name: String)? {
    let parts = relative(path).split(separator: "/")
    guard parts.count == 2, !path.hasPrefix("/") || path.hasPrefix("\(root)/"),
      let folder = folders[String(parts[0])]
    else { return nil }
    return (folder, String(parts[1]))
  }
}

/// A disk as the power cut left it.
struct DiskLeft: Sendable {
  let files: [String: [UInt8]]
  /// How many calls were made before.
  let calls: Int
  /// Whether the run had ended.
  let isAfterTheEnd: Bool
}
