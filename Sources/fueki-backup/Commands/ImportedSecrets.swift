internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiWallet

/// The secrets of an import, on their way into the keychain.
///
/// Nothing is written before ``write(in:)``.
struct ImportedSecrets {
  private(set) var outcome = StoreImport.Outcome()
  private let editor: KeychainEditor
  private let policy: ImportConflictPolicy

  /// Compares the secrets with the keychain's, and adds those that are new.
  ///
  /// The keychain is the one that is there, opened; nil stands for a new one.
  init(
    _ read: [ImportedRecords], editor: KeychainEditor, keychain: Keychain?, policy: ImportConflictPolicy
  ) throws {
    self.editor = editor
    self.policy = policy
    var shares = Dictionary((keychain?.shares ?? []).map { ($0.descriptor.id, $0.secret) }) { $1 }
    for share in read.flatMap(\.shares) {
      let known = shares[share.descriptor.id]
      let isSame = known.map { $0.bytes.isEqualInConstantTime(to: share.secret.bytes) }
      guard try take(.keyShares, share.descriptor.name, isSame) else { continue }
      shares[share.descriptor.id] = share.secret
      try editor.add(share: share.descriptor, secret: share.secret.bytes)
    }
    var keys = Dictionary(try (keychain?.privateKeys() ?? []).map { ($0.id, $0.secret) }) { $1 }
    for key in read.flatMap(\.privateKeys) {
      let isSame = keys[key.id].map { $0.bytes.isEqualInConstantTime(to: key.secret.bytes) }
      guard try take(.privateKeys, key.name, isSame) else { continue }
      keys[key.id] = key.secret
      try editor.add(key)
    }
    // A file's id is its content's: the same id is the same file.
    var files = Set(
      try (keychain?.secretRecords(of: .secretFiles) ?? []).map { record in
        let part = try record.bytes.withBytes { try SecretFilePart(decoding: $0) }
        return part.id + Self.bytes(part.offset)
      })
    for part in read.flatMap(\.secretFiles) {
      let isNew = files.insert(part.id + Self.bytes(part.offset)).inserted
      guard try take(.secretFiles, String(decoding: part.path, as: UTF8.self), isNew ? nil : true) else {
        continue
      }
      let message = try part.encoded()
      try editor.add(secretRecord: message, of: .secretFiles)
    }
  }

  /// Whether there is anything to write.
  var isChanged: Bool { !outcome.added.isEmpty || !outcome.replaced.isEmpty }

  /// Writes the keychain.
  func write(in directory: String) throws { _ = try editor.write(in: directory) }

  /// Counts a secret by what is there: nothing (nil), the same, or another.
  ///
  /// - Returns: whether it is to be added.
  private mutating func take(_ section: Section, _ name: String, _ isSame: Bool?) throws -> Bool {
    switch isSame {
    case true?:
      outcome.note(equal: section)
      return false
    case false?:
      outcome.note(conflict: section, name, replaced: policy == .replace)
      return policy == .replace
    case nil:
      outcome.note(added: section)
      return true
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
