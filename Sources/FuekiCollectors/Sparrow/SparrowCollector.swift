internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects wallets of Sparrow: its databases, and the earlier JSON files.
///
/// They are kept byte for byte without being decrypted: only their beginnings are checked. Sparrow's exports
/// are more useful to other programs.
enum SparrowCollector {
  static let kind = "sparrow"

  /// Inspects the files.
  ///
  /// Each is read in parts when it is written to the archive.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    try KeptFiles(source) { beginning, _ in Form(beginning) != nil }
      .read(request) { found, whole, records in try Self.look(found, whole, &records) }
  }

  /// A file's form, by its first bytes.
  enum Form {
    /// An encrypted database.
    case encryptedDatabase
    /// An unencrypted database.
    case database
    /// Encrypted JSON.
    case encryptedText
    /// Unencrypted JSON.
    case text

    init?(_ beginning: Span<UInt8>) {
      func begins(_ text: StaticString, at place: Int = 0) -> Bool {
        let wanted = Array("\(text)".utf8)
        return beginning.count >= place + wanted.count
          && wanted.indices.allSatisfy { beginning[place + $0] == wanted[$0] }
      }
      // H2's mark and salt, then Sparrow's mark and salt.
      if begins("H2encrypt\n") {
        self = .encryptedDatabase
      } else if begins("H:2,") {
        self = .database
      } else if begins("U1BSVz") {
        self = .encryptedText
      } else if beginning.contains("\"policyType\"") && beginning.contains("\"keystores\"") {
        self = .text
      } else {
        return nil
      }
    }
  }

  private static let pageByteCount: UInt64 = 4096
  /// The length of mark, salt, and the smallest ECIES message in Base64.
  private static let leastTextByteCount: UInt64 = 28 + 112

  private static func look(
    _ found: borrowing FoundFile, _ whole: CopiedFile, _ records: inout ImportedRecords
  ) throws -> KeptFiles.Keeping? {
    let name = FileName.text(found.name.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [])
    let bytes = try whole.file.readExactly(Int(clamping: min(whole.byteCount, 64 << 10)), at: 0)
    let form = Form(bytes.span)
    let isSecret = form != .encryptedDatabase && form != .encryptedText
    records.findings.append(
      WalletFinding(kind: kind, name: name, try result(form, bytes, whole), isInClear: isSecret))
    return KeptFiles.Keeping(
      isSecret: isSecret, format: form == nil ? "" : "sparrow-wallet", program: form == nil ? nil : kind)
  }

  private static func result(
    _ form: Form?, _ bytes: [UInt8], _ whole: CopiedFile
  ) throws -> WalletFinding.Result {
    switch form {
    case nil: return .faulty(.malformed)
    case .encryptedDatabase:
      guard bytes.dropFirst(18).starts(with: Array("SPRW1\n".utf8)) else { return .notProved(.notRead) }
      return whole.byteCount % pageByteCount == 0 && whole.byteCount > pageByteCount
        ? .notProved(.notRead) : .faulty(.length)
    case .database:
      // Two headers of a page each, and at least one chunk.
      return whole.byteCount % pageByteCount == 0 && whole.byteCount > 2 * pageByteCount
        ? .notProved(.notRead) : .faulty(.length)
    case .encryptedText: return whole.byteCount < leastTextByteCount ? .faulty(.length) : .notProved(.notRead)
    case .text:
      guard let content = try whole.bytes(limit: ImportLimits.walletByteCount),
        (try? GuardedDocument(content, limit: ImportLimits.walletByteCount)) != nil
      else { return .faulty(.malformed) }
      return .notProved(.notRead)
    }
  }
}

extension CollectorKind {
  /// Wallets of Sparrow.
  static let sparrow = CollectorKind(
    SparrowCollector.kind, "wallets of Sparrow, encrypted or not, as files", reach: .tree, guide: .sparrow,
    programs: [
      WalletProgram(
        id: "sparrow", title: "Sparrow", folders: [".sparrow"], flatpaks: ["com.sparrowwallet.Sparrow"],
        places: [
          .folder(".sparrow/wallets", of: ["*"], kind: SparrowCollector.kind, .sparrow, [.closeFirst]),
          .folder(".sparrow/*/wallets", of: ["*"], kind: SparrowCollector.kind, .sparrow, [.closeFirst]),
        ])
    ],
    fileNames: WalletNames(certain: ["*.mv.db"]), recognises: { SparrowCollector.Form($0) != nil },
    read: SparrowCollector.read)
}
