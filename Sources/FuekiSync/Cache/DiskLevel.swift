internal import FuekiCrypto
internal import FuekiSystem

/// The second level of a cache: a file (0600) for each answer, within a limit of bytes.
///
/// A file's name is the SHA-256 of its key after a part of its kind's. It begins with the SHA-256 of the rest, so that a
/// torn file is no value. Then come the time and the answer as JSON. Other files in the folder are left alone.
struct DiskLevel: Sendable {
  let folder: String
  /// The limit of all files in bytes.
  let limit: Int

  private static let digestLength = 64
  private static let timeLength = 16
  private static let nameLength = 81

  /// Returns an answer and its time, and marks it as used.
  func value(for key: CacheKey, at now: Double) -> (json: [UInt8], time: Double)? {
    guard let file = try? Directory.open(folder).openFile(Self.name(of: key)),
      let bytes = try? file.readAll(limit: limit), bytes.count > Self.digestLength + Self.timeLength
    else { return nil }
    let rest = Array(bytes[Self.digestLength...])
    let time = UInt64(String(decoding: rest[..<Self.timeLength], as: UTF8.self), radix: 16)
    guard bytes.starts(with: SHA256.hash(rest).hex.utf8), let time else { return nil }
    try? file.setModificationTime(microseconds: Int64(now * 1_000_000))
    return (Array(rest[Self.timeLength...]), Double(bitPattern: time))
  }

  /// Keeps an answer, and removes the least recently used ones beyond the limit.
  ///
  /// - Throws: errors of writing, which leave the former answer.
  func keep(_ json: [UInt8], for key: CacheKey, at time: Double) throws(SystemError) {
    let digits = String(time.bitPattern, radix: 16)
    let rest = Array(String(repeating: "0", count: Self.timeLength - digits.count).utf8) + digits.utf8 + json
    let bytes = Array(SHA256.hash(rest).hex.utf8) + rest
    guard bytes.count <= limit else { return }
    try Directory.makePrivateDirectories(folder)
    let directory = try Directory.open(folder)
    let name = Self.name(of: key)
    try directory.writeWhole(bytes, as: name, replacing: true)
    try directory.openFile(name).setModificationTime(microseconds: Int64(time * 1_000_000))
    try evict(from: directory)
  }

  /// Removes an answer.
  func remove(_ key: CacheKey) throws(SystemError) { try removeAll { $0 == Self.name(of: key) } }

  /// Removes the answers of a kind, or all.
  func clear(_ kind: DataKind?) throws(SystemError) {
    try removeAll { name in kind.map { name.hasPrefix(Self.start(of: $0)) } ?? true }
  }

  private func removeAll(where isRemoved: (String) -> Bool) throws(SystemError) {
    do throws(SystemError) {
      let directory = try Directory.open(folder)
      for name in try directory.list().compactMap(\.text) {
        let whole = name.hasPrefix(".") ? String(name.dropFirst().prefix(Self.nameLength)) : name
        guard Self.isOurs(whole), isRemoved(whole) else { continue }
        if whole == name { try directory.remove(name) } else { directory.removeAbandoned(of: whole) }
      }
    } catch {
      // Without a folder, or with another process that removes the same, nothing is left to remove.
      guard error.isNotFound else { throw error }
    }
  }

  private func evict(from directory: borrowing Directory) throws(SystemError) {
    var files: [(name: String, size: Int, time: FileTime)] = []
    for name in try directory.list().compactMap(\.text) where Self.isOurs(name) {
      guard let status = try? directory.status(of: name) else { continue }
      files.append((name, Int(clamping: status.size), status.modificationTime))
    }
    var total = files.reduce(0) { $0 + $1.size }
    files.sort { $0.time < $1.time }
    for file in files where total > limit {
      try directory.remove(file.name)
      total -= file.size
    }
  }

  private static func name(of key: CacheKey) -> String {
    start(of: key.kind) + SHA256.hash(Array(key.text.utf8)).hex
  }

  private static func start(of kind: DataKind) -> String {
    SHA256.hash(Array(kind.name.utf8)).hex.prefix(timeLength) + "-"
  }

  private static func isOurs(_ name: String) -> Bool {
    name.utf8.count == nameLength && name.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
  }
}
