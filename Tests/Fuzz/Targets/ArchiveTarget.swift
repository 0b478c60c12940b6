internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import Glibc

extension FuzzTarget {
  /// A whole archive: its structure, every byte, and with a secret its contents or the salvageable parts.
  static let archive = FuzzTarget("archive") { input in
    guard let edited = EditedArchive(input) else { return }
    let file = try File.duplicating(descriptor: scratch)
    try file.pwriteAll(edited.bytes, at: 0)
    try file.truncate(to: UInt64(edited.bytes.count))
    let stored = try StoredArchive(reading: ArchiveFile(file))
    _ = (stored.slots, stored.streamBytes, stored.unknownFields)
    let report = try stored.verify()
    precondition((report.intact == nil) != (report.damaged == nil), "an archive is both whole and not")
    // Passphrases are left out, because Argon2id is deliberately slow.
    let secrets = UnlockingSecrets(identities: identities)
    if let intact = report.intact { try read(try intact.unlock(with: secrets)) }
    if let damaged = report.damaged { try read(try damaged.salvage(with: secrets)) }
  }

  /// An unnamed temporary file, reused for every input.
  private static let scratch: Int32 = {
    guard let file = unsafe tmpfile() else { return -1 }
    return unsafe fileno(file)
  }()

  private static func read(_ archive: some UnlockedArchive) throws {
    _ = try archive.manifest()
    for section in archive.sections {
      if section.id < 64 {
        _ = try archive.readRecords(of: section.id, map: \.messages.count, body: { _ in })
      } else {
        _ = try archive.readSecretRecords(of: section.id) { _ in }
      }
    }
  }

  /// The keys of the vector with all slot types: an age key for profile and history, the guardians' key for
  /// secrets.
  private static let identities: [AgeIdentity] = {
    let given = reader("all-slot-types-x25519")
    let age = given?.member("identities")?.children.first { _ in true }?.string
    let guardians = reader("all-slot-types-guardians")?.member("guardians_key")?.string
    guard let age = try? SecretBytes(copying: Array((age ?? "").utf8).span),
      let keys = try? AgeKey.identities(in: age).keys, let key = Hex.decode(guardians ?? ""),
      let combined = try? SecretBytes(copying: key.span)
    else { preconditionFailure("the test vectors have no keys") }
    return keys + [.x25519(SharedSecret(combined))]
  }()

  /// Returns the reader's keys of a vector.
  private static func reader(_ vector: String) -> JSONValue? {
    guard let bytes = try? File.open("TestVectors/archives/\(vector).json").readAll(limit: 1 << 20) else {
      return nil
    }
    return try? JSONDocument(bytes, limit: 1 << 20).root.member("reader")
  }
}
