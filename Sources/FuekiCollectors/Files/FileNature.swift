internal import FuekiCrypto
internal import FuekiSystem

/// Whether a file may be stored as public, judged by its beginning.
struct FileNature {
  /// The number of bytes inspected.
  private static let beginningByteCount = 64 << 10

  /// Whether it may contain an unencrypted secret.
  let isSecret: Bool
  /// The recognised format; possibly empty.
  let format: String

  /// Creates a known result.
  init(isSecret: Bool, format: String) { (self.isSecret, self.format) = (isSecret, format) }

  /// Inspects an open file.
  init(of found: borrowing FoundFile) throws {
    let count = min(Int(clamping: found.status.size), Self.beginningByteCount)
    var beginning = try SecretBytes(count: count)
    let read = try beginning.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try found.file.pread(into: &bytes, at: 0)
    }
    let name = found.name
    self = beginning.withBytes { FileNature($0.extracting(0..<read), name: name) }
  }

  /// Inspects a file's bytes, or its first ones.
  init(_ bytes: Span<UInt8>, name: [UInt8]) {
    let beginning = bytes.extracting(0..<min(bytes.count, Self.beginningByteCount))
    for known in Self.known where known.matches(beginning) {
      (isSecret, format) = (false, known.format)
      return
    }
    let last = name.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    (isSecret, format) = (true, Self.formats[last] ?? "")
  }

  private struct Known: Sendable {
    let format: String
    let matches: @Sendable (Span<UInt8>) -> Bool
  }

  /// Formats that are public, or encrypted by their wallet.
  private static let known = [
    Known(format: "eip2335-keystore") {
      $0.contains("\"checksum\"") && $0.contains("\"cipher\"") && $0.contains("\"pubkey\"")
    },
    Known(format: KeystoreCollector.format) {
      $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"") && $0.contains("\"mac\"")
    },
    Known(format: "eip3076") { $0.contains("\"interchange_format_version\"") },
    Known(format: ElectrumCollector.format) { $0.begins(with: "QklFMQ") },
    Known(format: "fueki-vault") { $0.begins(with: "FUEK") },
    Known(format: "age") { $0.begins(with: "age-encryption.org/") },
    Known(format: "openpgp-message") { $0.begins(with: "-----BEGIN PGP MESSAGE-----") },
  ]

  /// File names that identify a format if the content does not.
  ///
  /// All of these are treated as secrets.
  private static let formats: [[UInt8]: String] = Dictionary(
    uniqueKeysWithValues: [
      ("channel.db", "lnd-channel-db"), ("lightningd.sqlite3", "core-lightning-db"),
      ("wallet.dat", "bitcoin-core-wallet"), ("hsm_secret", "core-lightning-hsm"),
      ("channel.backup", "lnd-channel-backup"),
    ].map { (Array($0.0.utf8), $0.1) })
}

extension Span<UInt8> {
  /// Whether the bytes start with an ASCII text.
  fileprivate func begins(with text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    return count >= wanted.count && wanted.indices.allSatisfy { self[$0] == wanted[$0] }
  }
}
