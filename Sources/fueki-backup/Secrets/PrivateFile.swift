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
